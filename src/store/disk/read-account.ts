import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { readHead, readSeal, type Seal } from '../record/account-record.ts'
import { isRepairedLine, type JournalLine, readLine } from '../record/journal-line.ts'
import { DamagedFile } from '../record/sealed-json.ts'
import { ascendTo, followOn, type StepSink, watchNew } from '../record/step-sink.ts'
import { takeSteps } from '../record/take-steps.ts'
import { type FileOperations, isSystemError } from './file-operations.ts'
import { readPieces } from './read-pieces.ts'

/** A seal of an account's file, and where its line ends, behind its line break. */
export interface FoundSeal extends Seal {
  readonly end: number
}

/** A line of a file. */
export interface FileLine {
  readonly bytes: Buffer
  readonly start: number
  /** Behind its line break. */
  readonly end: number
  /** Undefined when it is not what was written. */
  readonly line: JournalLine | undefined
}

const lineBreak = 0x0a
/** Room for a seal, whatever the id of the user. */
const tailBytes = 64 * 1024

const cutAtLineBreak = (bytes: Buffer): number => bytes.lastIndexOf(lineBreak) + 1

/** Reads the lines of a file up to a place, those of a piece at once. Their bytes are there until the next piece. */
export async function* readFileLines(handle: FileHandle, end: number): AsyncGenerator<readonly FileLine[]> {
  let before = 0
  for await (const piece of readPieces(handle, { start: 0, end }, cutAtLineBreak)) {
    const lines: FileLine[] = []
    for (let at = 0; at < piece.length; ) {
      const found = piece.indexOf(lineBreak, at)
      const lineEnd = found === -1 ? piece.length : found
      const bytes = piece.subarray(at, lineEnd)
      const line = found === -1 ? undefined : readLine(bytes)
      lines.push({ bytes, start: before + at, end: before + Math.min(lineEnd + 1, piece.length), line })
      at = lineEnd + 1
    }
    yield lines
    before += piece.length
  }
}

/** Sums up lines between seals, and judges the seals. */
const createSealJudge = () => {
  let checksum = 0
  let isRepaired = false
  return {
    add: (bytes: Buffer): void => {
      checksum = crc32(lineEnd, crc32(bytes, checksum))
      isRepaired ||= isRepairedLine(bytes)
    },
    /** True when a seal is that of the lines before it; those behind it go on from what it says. */
    fits: (seal: Pick<Seal, 'checksum'>, line: Buffer): boolean => {
      const isFitting = isRepaired || isRepairedLine(line) || seal.checksum === checksum
      checksum = seal.checksum
      isRepaired = false
      return isFitting
    },
  }
}
const lineEnd = Buffer.from('\n')

/**
 * The seal that a file of a size ends in, when it fits to the lines that were appended with it; undefined when the file
 * ends in anything else. What is before these lines is not read: it was on disk before they were written.
 */
export const readLastSeal = async (handle: FileHandle, size: number, key: string): Promise<FoundSeal | undefined> => {
  const start = Math.max(0, size - tailBytes)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
  const tail = buffer.subarray(0, bytesRead)
  if (tail.at(-1) !== lineBreak) return undefined
  const lineStart = tail.lastIndexOf(lineBreak, tail.length - 2) + 1
  const line = tail.subarray(lineStart, -1)
  const read = readLine(line)
  const seal = read?.key === key ? readSeal(line) : undefined
  if (read === undefined || seal === undefined) return undefined
  const found = { ...seal, write: read.write, end: size }
  return seal.from === 0 || (await sumUp(handle, seal, start + lineStart)) === seal.checksum ? found : undefined
}

const sumUp = async (handle: FileHandle, { from, after }: Seal | Omit<Seal, 'write'>, end: number): Promise<number> => {
  let checksum = after
  for await (const piece of readPieces(handle, { start: Math.min(from, end), end }, (bytes) => bytes.length))
    checksum = crc32(piece, checksum)
  return checksum
}

/** The last seal of a file that fits to all before it, also when something stands behind it. The whole file is read. */
export const findLastSeal = async (handle: FileHandle, size: number, key: string): Promise<FoundSeal | undefined> => {
  const judge = createSealJudge()
  let last: FoundSeal | undefined
  for await (const lines of readFileLines(handle, size))
    for (const { bytes, end, line } of lines) {
      if (line?.key !== key) return last
      const seal = readSeal(bytes)
      if (seal === undefined) judge.add(bytes)
      else if (judge.fits(seal, bytes)) last = { ...seal, write: line.write, end }
      else return last
    }
  return last
}

/**
 * Hands on what a file holds up to a seal of it: the sink that `begin` gives for the position of the base takes the steps.
 * @throws DamagedFile when it is not what was written; the sink may have taken some of it then
 */
export const takeAccount = async <Sink extends StepSink>(
  handle: FileHandle,
  { end, key }: { readonly end: number; readonly key: string },
  begin: (position: number) => Sink,
): Promise<Sink> => {
  const judge = createSealJudge()
  let sink: Sink | undefined
  let isDouble = false
  let take = (_line: Buffer): boolean => false
  let write = 0

  const refuse = (start: number): DamagedFile => new DamagedFile(`the line at byte ${start} is not what was written`)

  const takeHead = (bytes: Buffer): void => {
    const position = readHead(bytes)
    if (typeof position !== 'number') throw new DamagedFile(position.damage)
    const found = begin(position)
    const base = watchNew(found, () => {
      isDouble = true
    })
    const order = ascendTo(position)
    take = (line) => takeSteps(line, base, order)
    sink = found
  }

  const takeSeal = (seal: Pick<Seal, 'checksum'>, { bytes, start }: FileLine): void => {
    if (!judge.fits(seal, bytes)) throw new DamagedFile(`its checksum at byte ${start} does not fit its content`)
    if (isDouble) throw new DamagedFile('it holds an id or a tag twice')
    const found = sink
    if (found === undefined) throw refuse(start)
    take = (line) => takeSteps(line, found, followOn(found))
  }

  for await (const lines of readFileLines(handle, end))
    for (const found of lines) {
      const { bytes, start, line } = found
      if (line === undefined) throw refuse(start)
      if (line.key !== key) throw new DamagedFile(`it holds a line of "${line.key}" at byte ${start}`)
      if (line.write < write) throw new DamagedFile(`write ${line.write} follows write ${write} at byte ${start}`)
      write = line.write
      const seal = readSeal(bytes)
      if (seal !== undefined) {
        takeSeal(seal, found)
        continue
      }
      judge.add(bytes)
      if (sink === undefined) takeHead(bytes)
      else if (!take(bytes)) throw new DamagedFile(`the steps at byte ${start} are not complete, or not in order`)
    }
  if (sink === undefined) throw new DamagedFile('it holds no line')
  return sink
}

/** An account as its file has it. */
export interface TakenAccount<Sink> {
  /** The last write that the file holds. */
  readonly write: number
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
 * @throws DamagedFile, the system's error
 */
export const readAccountFile = async <Sink extends StepSink>(
  { path, files }: { readonly path: string; readonly files: Pick<FileOperations, 'open'> },
  wanted: Omit<WantedFile, 'isWhole'>,
  begin: (position: number) => Sink,
): Promise<TakenAccount<Sink> | undefined> => {
  let handle: FileHandle
  try {
    handle = await files.open(path, 'r')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    const { end, write } = await findSeal(handle, { ...wanted, isWhole: true })
    return { write, sink: await takeAccount(handle, { end, key: wanted.key }, begin) }
  } finally {
    await handle.close()
  }
}
