import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { readHead, readSeal, type Seal } from '../record/account-record.ts'
import { isRepairedLine, readLine } from '../record/journal-line.ts'
import { DamagedFile } from '../record/sealed-json.ts'
import { ascendTo, followOn, type StepSink } from '../record/step-sink.ts'
import { takeSteps } from '../record/take-steps.ts'
import { type FileLine, readBytes, readFileLines, readPieces } from './file-lines.ts'
import { type FileOperations, openFile, orIfMissing, withHandle } from './file-operations.ts'

/** A seal of an account's file, and where its line ends, behind its line break. */
export interface FoundSeal extends Seal {
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
    if (line === undefined || !isEnded) throw refuse(start)
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

const refuse = (start: number): DamagedFile => new DamagedFile(`the line at byte ${start} is not what was written`)

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
      if (found === undefined) throw refuse(start)
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
export interface WantedFile {
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
