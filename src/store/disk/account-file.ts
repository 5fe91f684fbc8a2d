import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { createSliceTimer, runToEnd, type Work } from '../../scheduling.ts'
import { ascendTo, followOn, type StepSink } from '../record/change.ts'
import { passSteps } from '../record/change-text.ts'
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
 * `accounts/…/<user id>.ndjson` holds lines as the journal does (`checked-lines.ts`), all under the account's key:
 *
 * - a head: format, version, and the position of the base;
 * - the base: lines with the steps that create the account from nothing, up to about 64 KiB in each;
 * - a seal;
 * - then any number of times: lines of the journal, byte by byte, followed by a seal.
 *
 * A seal has the number of the write up to which the file holds everything. It also has the checksum (crc32) of all
 * lines since the previous seal, continued from that seal's checksum. Bytes after the last valid seal were never
 * finished, and have no effect.
 */
const format = 'thingsync account'
const version = 1

/** Maximum length of the steps in a line of a base. */
const lineLength = 64 * 1024

/** The content of the first line of an account's file, beside the key. */
interface AccountHead {
  readonly position: number
  readonly write: number
}

/** The end of a part of an account's file. The file up to here holds all of the account's writes up to `write`. */
interface Seal {
  readonly write: number
  /** The checksum of the lines since the previous seal, continued from its checksum; the first seal's starts at 0. */
  readonly checksum: number
  /** The offset at which these lines begin: 0 for the base. */
  readonly from: number
  /** The checksum of the previous seal; 0 for the base. */
  readonly after: number
  /** The end of the base: the number of bytes before the first seal. */
  readonly base: number
}

const encodeOwnLine = (userId: string, write: number, steps: string): Buffer =>
  Buffer.concat(runToEnd(encodeLine({ write, batch: write, key: encodeAccountKey(userId) }, [Buffer.from(steps)])))

/** Encodes a seal as a line. */
export const encodeSeal = (userId: string, { write, checksum, from, after, base }: Seal): Buffer =>
  encodeOwnLine(
    userId,
    write,
    JSON.stringify({ sealed: encodeChecksum(checksum), from, after: encodeChecksum(after), base }),
  )

/** Builds the lines of a file from steps, each as JSON. */
interface BaseLines {
  /** Adds a step; returns a line when one is full. */
  readonly take: (step: string) => Buffer | undefined
  /** Returns the last lines and the seal. */
  readonly end: () => Buffer
}

/** Begins a file. The first full line is returned together with the head. */
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

/** Reads the position in the first line of a file, or describes the damage. @throws NewerVersion */
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

/** Decodes a line that `readLine` has read as a seal; undefined when it is no seal. */
export const readSeal = (line: Buffer): Omit<Seal, 'write'> | undefined => {
  const steps = findSteps(line)
  if (!steps.subarray(0, sealOpening.length).equals(sealOpening)) return undefined
  const value = readSteps(line)
  if (!isSeal(value)) return undefined
  const { sealed, from, after, base } = value as Readonly<Record<'sealed' | 'after', string>> &
    Pick<Seal, 'from' | 'base'>
  return { checksum: fromHex(sealed), from, after: fromHex(after), base }
}

// Two loops: with one `for await` over both kinds, each of a million steps would cost a microtask.
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
 * Writes the file of an account from steps, each as JSON. The file gets its name only when all of it is on disk.
 * @throws SyncError, the system's error, or what the steps throw
 */
export const writeAccountFile = (
  location: FileLocation,
  userId: string,
  head: AccountHead,
  steps: Iterable<string> | AsyncIterable<string>,
): Promise<void> => replaceFile(location, fillLines(userId, head, steps))

/** A seal of an account's file, with the offset after its line break. */
interface FoundSeal extends Seal {
  readonly end: number
}

/** Enough bytes for a seal, whatever the id of the user. */
const tailBytes = 64 * 1024

const lineBreak = 0x0a

/** A line that is consistent with all lines before it, and its content as a seal. */
interface SealedLine extends Pick<FileLine, 'bytes' | 'whole' | 'start'> {
  readonly write: number
  readonly seal: Omit<Seal, 'write'> | undefined
}

/**
 * Passes on the lines of a file in slices: an account may have very many lines, and one line may hold a large upload.
 * @throws DamagedFile at the first inconsistent line, and what `take` throws
 */
const takeSealed = async (
  handle: FileHandle,
  { end, key }: { readonly end: number; readonly key: string },
  take: (line: SealedLine) => Work<void> | undefined,
): Promise<void> => {
  let checksum = 0
  let isRepaired = false

  const checkLine = ({ bytes, whole, start, line, isEnded }: FileLine): SealedLine => {
    if (line === undefined || !isEnded) throw createDamageError(start)
    if (line.key !== key) throw new DamagedFile(`it holds a line of "${line.key}" at byte ${start}`)
    const seal = readSeal(bytes)
    isRepaired ||= isRepairedLine(bytes)
    if (seal === undefined) checksum = crc32(whole, checksum)
    else {
      if (!isRepaired && seal.checksum !== checksum)
        throw new DamagedFile(`its checksum at byte ${start} does not fit its content`)
      // The lines after the seal continue from its checksum.
      checksum = seal.checksum
      isRepaired = false
    }
    return { bytes, whole, start, write: line.write, seal }
  }

  const timer = createSliceTimer()
  for await (const lines of readFileLines(handle, end))
    for (const line of lines) {
      for (const _ of take(checkLine(line)) ?? []) if (timer.isDue()) await timer.yieldTurn()
      if (timer.isDue()) await timer.yieldTurn()
    }
}

const createDamageError = (start: number): DamagedFile =>
  new DamagedFile(`the line at byte ${start} is not what was written`)

/**
 * Reads the seal at the end of a file, if it is consistent with the lines that were appended with it. Returns undefined
 * when the file ends in anything else. Earlier lines are not read: they were on disk before these lines were written.
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
  return seal.from === 0 || (await computeCrc(handle, seal, start + lineStart)) === seal.checksum ? found : undefined
}

const computeCrc = async (handle: FileHandle, { from, after }: Omit<Seal, 'write'>, end: number): Promise<number> => {
  let checksum = after
  for await (const piece of readPieces(handle, { start: Math.min(from, end), end })) checksum = crc32(piece, checksum)
  return checksum
}

/**
 * Finds the last seal that is consistent with all lines before it, even if bytes follow it. It reads the whole file.
 */
const findLastSeal = async (handle: FileHandle, size: number, key: string): Promise<FoundSeal | undefined> => {
  let last: FoundSeal | undefined
  try {
    await takeSealed(handle, { end: size, key }, ({ seal, write, start, whole }) => {
      if (seal !== undefined) last = { ...seal, write, end: start + whole.length }
      return undefined
    })
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
  }
  return last
}

/**
 * Passes on the steps of a file up to one of its seals. `begin` gets the position of the base and returns the sink for
 * the steps.
 * @throws DamagedFile when the file is damaged; the sink may then have some of the steps
 */
const takeAccount = async <Sink extends StepSink>(
  handle: FileHandle,
  part: { readonly end: number; readonly key: string },
  begin: (position: number) => Sink,
): Promise<Sink> => {
  let sink = undefined as Sink | undefined
  let hasDuplicate = false
  let lastWrite = 0
  let take = undefined as ((line: Buffer) => Work<boolean>) | undefined

  const takeHead = (bytes: Buffer): void => {
    const position = readHead(bytes)
    if (typeof position !== 'number') throw new DamagedFile(position.damage)
    const found = begin(position)
    const base: StepSink = {
      ...found,
      put: (step) => {
        const isNew = found.put(step)
        hasDuplicate ||= !isNew
        return isNew
      },
    }
    const order = ascendTo(position)
    take = (line) => passSteps(line, base, order)
    sink = found
  }

  await takeSealed(handle, part, function* ({ bytes, start, write, seal }) {
    if (write < lastWrite) throw new DamagedFile(`write ${write} follows write ${lastWrite} at byte ${start}`)
    lastWrite = write
    const found = sink
    if (seal === undefined) {
      if (take === undefined) takeHead(bytes)
      else if (!(yield* take(bytes)))
        throw new DamagedFile(`the steps at byte ${start} are not complete, or not in order`)
    } else {
      if (hasDuplicate) throw new DamagedFile('it holds an id or a tag twice')
      if (found === undefined) throw createDamageError(start)
      take = (line) => passSteps(line, found, followOn(found))
    }
  })
  if (sink === undefined) throw new DamagedFile('it holds no line')
  return sink
}

/** An account as loaded from its file. */
export interface TakenAccount<Sink> {
  /** The last write that the file holds. */
  readonly write: number
  /** The offset after the last byte that has an effect. */
  readonly end: number
  readonly sink: Sink
}

/** The expectations for a file. */
interface WantedFile {
  readonly key: string
  /** The last recorded write of the file. */
  readonly known: number
  /** True when the whole file was read before, or will be: then a check of its end is enough. */
  readonly isWhole: boolean
}

/** Finds the seal at which a file ends. It must include the last recorded write. @throws DamagedFile */
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
 * Passes on the content of an account's file; returns undefined when there is no file. It ignores an unfinished append,
 * because the journal holds the lines.
 * @throws DamagedFile, NotAFile, the system's error
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
