import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { runToEnd } from '../../scheduling.ts'
import { ascendTo, followOn, type StepSink } from '../record/change.ts'
import { takeSteps } from '../record/change-text.ts'
import {
  DamagedFile,
  encodeAccountKey,
  encodeChecksum,
  encodeLine,
  findSteps,
  isRepairedLine,
  NewerVersion,
  readLine,
  readSteps,
} from '../record/checked-lines.ts'
import { isObjectOf, isPosition, isText, type Shape } from '../record/shapes.ts'
import {
  type FileLine,
  type FileLocation,
  type FileOperations,
  openFile,
  orIfMissing,
  readBytes,
  readFileLines,
  readPieces,
  replaceFile,
  withHandle,
} from './files.ts'

/**
 * # The file of an account
 *
 * `accounts/…/<user id>.ndjson` holds lines as the journal does (`journal-line.ts`), all under the account's key:
 *
 * - a head: format, version, and the position that the base has;
 * - the base: lines with the steps that make the account of nothing, up to about 64 KiB in each;
 * - a seal;
 * - then any number of times: lines of the journal, byte by byte, and a seal behind them.
 *
 * A seal says up to which write the file holds everything, and has the checksum (crc32) of all lines since the seal
 * before, going on from that one's. What stands behind the last seal that fits was never finished, and counts for nothing.
 */
const format = 'thingsync account'
const version = 1

/** Bytes of steps in a line of a base. */
const lineLength = 64 * 1024

/** What the first line of an account's file says beside whose it is. */
interface AccountHead {
  readonly position: number
  readonly write: number
}

/** The end of a part of an account's file that holds all of the account's writes up to one. */
interface Seal {
  readonly write: number
  /** Of the lines since the seal before, going on from its checksum; the first one's from 0. */
  readonly checksum: number
  /** The byte at which these lines begin: 0 for the base. */
  readonly from: number
  /** The checksum of the seal before; 0 for the base. */
  readonly after: number
  /** Where the base ends: the bytes before the first seal. */
  readonly base: number
}

const encodeOwnLine = (userId: string, write: number, steps: string): Buffer =>
  Buffer.concat(runToEnd(encodeLine({ write, batch: write, key: encodeAccountKey(userId) }, [Buffer.from(steps)])))

/** The line of a seal. */
export const encodeSeal = (userId: string, { write, checksum, from, after, base }: Seal): Buffer =>
  encodeOwnLine(
    userId,
    write,
    JSON.stringify({ sealed: encodeChecksum(checksum), from, after: encodeChecksum(after), base }),
  )

/** Makes the lines of a file out of steps, each as JSON. */
interface BaseLines {
  /** Takes a step; gives a line when one is full. */
  readonly take: (step: string) => Buffer | undefined
  /** The last lines, and the seal. */
  readonly end: () => Buffer
}

/** Begins a file; its first line is given with the first one that is full. */
const createBaseLines = (userId: string, { position, write }: AccountHead): BaseLines => {
  let checksum = 0
  let base = 0
  let steps = ''
  let isBegun = false

  const note = (bytes: Buffer): Buffer => {
    checksum = crc32(bytes, checksum)
    base += bytes.length
    return bytes
  }

  const flush = (): Buffer => {
    const head = isBegun ? [] : [encodeOwnLine(userId, write, JSON.stringify({ format, version, position }))]
    const lines = steps === '' ? [] : [encodeOwnLine(userId, write, `[${steps}]`)]
    isBegun = true
    steps = ''
    return note(Buffer.concat([...head, ...lines]))
  }

  return {
    take: (step) => {
      steps = steps === '' ? step : `${steps},${step}`
      return steps.length < lineLength ? undefined : flush()
    },
    end: () => {
      const last = flush()
      return Buffer.concat([last, encodeSeal(userId, { write, checksum, from: 0, after: 0, base })])
    },
  }
}

const isHead = isObjectOf({ format: isText, version: isPosition, position: isPosition })
const isHex: Shape = (value) => typeof value === 'string' && /^[0-9a-f]{8}$/.test(value)
const isSeal = isObjectOf({ sealed: isHex, from: isPosition, after: isHex, base: isPosition })
const fromHex = (text: string): number => Number.parseInt(text, 16)

/** What the first line of a file says; or in which way it is none. @throws NewerVersion */
export const readHead = (line: Buffer): number | { readonly damage: string } => {
  const value = readSteps(line)
  if (!isHead(value)) return { damage: 'it does not begin as the file of an account does' }
  const head = value as { readonly format: string; readonly version: number; readonly position: number }
  if (head.format !== format) return { damage: `its format is "${head.format}", not "${format}"` }
  const sentence = `its version is ${head.version}, this program reads version ${version}`
  if (head.version > version) throw new NewerVersion(sentence, undefined)
  return head.version === version ? head.position : { damage: sentence }
}

const sealOpening = Buffer.from('{"sealed":')

/** What a line that `readLine` has read says as a seal; undefined when it is none. */
export const readSeal = (line: Buffer): Omit<Seal, 'write'> | undefined => {
  const steps = findSteps(line)
  if (!steps.subarray(0, sealOpening.length).equals(sealOpening)) return undefined
  const value = readSteps(line)
  if (!isSeal(value)) return undefined
  const { sealed, from, after, base } = value as Readonly<Record<'sealed' | 'after', string>> &
    Pick<Seal, 'from' | 'base'>
  return { checksum: fromHex(sealed), from, after: fromHex(after), base }
}

// Not one `for await` over both: of a million steps each would cost a turn.
async function* fillLines(
  userId: string,
  head: AccountHead,
  steps: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Buffer> {
  const base = createBaseLines(userId, head)
  if (Symbol.iterator in steps)
    for (const step of steps) {
      const full = base.take(step)
      if (full !== undefined) yield full
    }
  else
    for await (const step of steps) {
      const full = base.take(step)
      if (full !== undefined) yield full
    }
  yield base.end()
}

/**
 * Writes the file of an account out of steps, as JSON. It gets its name when all of it is on disk, and not before.
 * @throws SyncFailed, the system's error, or what the steps throw
 */
export const writeAccountFile = (
  place: FileLocation,
  userId: string,
  head: AccountHead,
  steps: Iterable<string> | AsyncIterable<string>,
): Promise<void> => replaceFile(place, fillLines(userId, head, steps))

/** A seal of an account's file, and where its line ends, behind its line break. */
interface FoundSeal extends Seal {
  readonly end: number
}

/** Room for a seal, whatever the id of the user. */
const tailBytes = 64 * 1024

const lineBreak = 0x0a

/** A line that fits to all before it, and what it says as a seal. */
interface SealedLine extends Pick<FileLine, 'bytes' | 'whole' | 'start'> {
  readonly write: number
  readonly seal: Omit<Seal, 'write'> | undefined
}

/** Hands on the lines of a file. @throws DamagedFile at the first one that does not fit, and what `take` throws */
const takeSealed = async (
  handle: FileHandle,
  { end, key }: { readonly end: number; readonly key: string },
  take: (line: SealedLine) => void,
): Promise<void> => {
  let checksum = 0
  let isRepaired = false

  const judge = ({ bytes, whole, start, line, isEnded }: FileLine): SealedLine => {
    if (line === undefined || !isEnded) throw throwDamaged(start)
    if (line.key !== key) throw new DamagedFile(`it holds a line of "${line.key}" at byte ${start}`)
    const seal = readSeal(bytes)
    isRepaired ||= isRepairedLine(bytes)
    if (seal === undefined) checksum = crc32(whole, checksum)
    else {
      if (!isRepaired && seal.checksum !== checksum)
        throw new DamagedFile(`its checksum at byte ${start} does not fit its content`)
      // The lines behind it go on from what it says.
      checksum = seal.checksum
      isRepaired = false
    }
    return { bytes, whole, start, write: line.write, seal }
  }

  for await (const lines of readFileLines(handle, end)) for (const line of lines) take(judge(line))
}

const throwDamaged = (start: number): DamagedFile =>
  new DamagedFile(`the line at byte ${start} is not what was written`)

/**
 * The seal that a file of a size ends in, when it fits to the lines that were appended with it; undefined when the file
 * ends in anything else. What is before these lines is not read: it was on disk before they were written.
 */
const readLastSeal = async (handle: FileHandle, size: number, key: string): Promise<FoundSeal | undefined> => {
  const start = Math.max(0, size - tailBytes)
  const tail = await readBytes(handle, start, size)
  if (tail.at(-1) !== lineBreak) return undefined
  const lineStart = tail.lastIndexOf(lineBreak, tail.length - 2) + 1
  const line = tail.subarray(lineStart, -1)
  const read = readLine(line)
  const seal = read?.key === key ? readSeal(line) : undefined
  if (read === undefined || seal === undefined) return undefined
  const found = { ...seal, write: read.write, end: size }
  return seal.from === 0 || (await sumUp(handle, seal, start + lineStart)) === seal.checksum ? found : undefined
}

const sumUp = async (handle: FileHandle, { from, after }: Omit<Seal, 'write'>, end: number): Promise<number> => {
  let checksum = after
  for await (const piece of readPieces(handle, { start: Math.min(from, end), end })) checksum = crc32(piece, checksum)
  return checksum
}

/** The last seal of a file that fits to all before it, also when something stands behind it. The whole file is read. */
const findLastSeal = async (handle: FileHandle, size: number, key: string): Promise<FoundSeal | undefined> => {
  let last: FoundSeal | undefined
  try {
    await takeSealed(handle, { end: size, key }, ({ seal, write, start, whole }) => {
      if (seal !== undefined) last = { ...seal, write, end: start + whole.length }
    })
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
  }
  return last
}

/**
 * Hands on what a file holds up to a seal of it: the sink that `begin` gives for the position of the base takes the steps.
 * @throws DamagedFile when it is not what was written; the sink may have taken some of it then
 */
const takeAccount = async <Sink extends StepSink>(
  handle: FileHandle,
  part: { readonly end: number; readonly key: string },
  begin: (position: number) => Sink,
): Promise<Sink> => {
  let sink = undefined as Sink | undefined
  let isDouble = false
  let lastWrite = 0
  let take = (_line: Buffer): boolean => false

  const takeHead = (bytes: Buffer): void => {
    const position = readHead(bytes)
    if (typeof position !== 'number') throw new DamagedFile(position.damage)
    const found = begin(position)
    const base: StepSink = {
      ...found,
      put: (step) => {
        const isNew = found.put(step)
        isDouble ||= !isNew
        return isNew
      },
    }
    const order = ascendTo(position)
    take = (line) => takeSteps(line, base, order)
    sink = found
  }

  await takeSealed(handle, part, ({ bytes, start, write, seal }) => {
    if (write < lastWrite) throw new DamagedFile(`write ${write} follows write ${lastWrite} at byte ${start}`)
    lastWrite = write
    const found = sink
    if (seal === undefined) {
      if (found === undefined) takeHead(bytes)
      else if (!take(bytes)) throw new DamagedFile(`the steps at byte ${start} are not complete, or not in order`)
    } else {
      if (isDouble) throw new DamagedFile('it holds an id or a tag twice')
      if (found === undefined) throw throwDamaged(start)
      take = (line) => takeSteps(line, found, followOn(found))
    }
  })
  if (sink === undefined) throw new DamagedFile('it holds no line')
  return sink
}

/** An account as its file has it. */
export interface TakenAccount<Sink> {
  /** The last write that the file holds. */
  readonly write: number
  /** Behind the last byte that counts. */
  readonly end: number
  readonly sink: Sink
}

/** What a file is to be. */
interface WantedFile {
  readonly key: string
  /** The last write of which it is written down that it was there. */
  readonly known: number
  /** True when all of it was read before, or will be: then its end tells enough. */
  readonly isWhole: boolean
}

/** The seal up to which a file counts, which must hold a write that is known to have been in it. @throws DamagedFile */
export const findSeal = async (handle: FileHandle, { key, known, isWhole }: WantedFile): Promise<FoundSeal> => {
  const { size } = await handle.stat()
  const last = isWhole ? await readLastSeal(handle, size, key) : undefined
  const seal = last ?? (await findLastSeal(handle, size, key))
  if (seal === undefined) throw new DamagedFile('nothing in it has a checksum that fits')
  if (seal.write < known)
    throw new DamagedFile(`it is whole up to byte ${seal.end} only, with write ${seal.write}, and held write ${known}`)
  return seal
}

/**
 * Hands on what the file of an account holds; undefined when there is none. What an append left behind that was never
 * finished does not count: the journal holds it.
 * @throws DamagedFile, NoFile, the system's error
 */
export const readAccountFile = async <Sink extends StepSink>(
  { path, files }: { readonly path: string; readonly files: Pick<FileOperations, 'open' | 'stat'> },
  wanted: Omit<WantedFile, 'isWhole'>,
  begin: (position: number) => Sink,
): Promise<TakenAccount<Sink> | undefined> => {
  const opening = withHandle(openFile(files, path), async (handle) => {
    const { end, write } = await findSeal(handle, { ...wanted, isWhole: true })
    return { write, end, sink: await takeAccount(handle, { end, key: wanted.key }, begin) }
  })
  return orIfMissing(opening, undefined)
}
