import { randomUUID } from 'node:crypto'
import type * as promises from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { type JournalLine, lineOpening, NewerVersion, readLine } from '../record/checked-lines.ts'
import { StoreError } from '../store.ts'

/** What the JSON-file store asks of the file system: these functions of `node:fs/promises`. */
export type FileOperations = Pick<
  typeof promises,
  'copyFile' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat' | 'unlink' | 'writeFile'
>

/** True when the operating system refused something, with this code if one is given (`ENOSPC`, `EIO`, …). */
export const isSystemError = (error: unknown, code?: string): error is NodeJS.ErrnoException =>
  error instanceof Error && 'errno' in error && 'code' in error && (code === undefined || error.code === code)

/** What the system gives, or the fallback where it says that there is no such file or folder. */
export const orIfMissing = async <Found, Fallback>(
  found: Promise<Found>,
  fallback: Fallback,
): Promise<Found | Fallback> => {
  try {
    return await found
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return fallback
    throw error
  }
}

/** Thrown where a file is to be read and a folder, a pipe or a device stands in its place: nothing can be said about it. */
export class NoFile extends StoreError {
  constructor(path: string) {
    super(`${path} is no file; move it out of the data folder`)
  }
}

/** What else stands in the place of a file may be read for ever. @throws NoFile, the system's error */
const checkFile = async (files: Pick<FileOperations, 'stat'>, path: string): Promise<void> => {
  if (!(await files.stat(path)).isFile()) throw new NoFile(path)
}

/** Opens a file to be read, and nothing else. @throws NoFile, the system's error */
export const openFile = async (
  files: Pick<FileOperations, 'open' | 'stat'>,
  path: string,
): Promise<promises.FileHandle> => {
  await checkFile(files, path)
  return files.open(path, 'r')
}

/** Works with a file that is being opened, and closes it. */
export const withHandle = async <Result>(
  opening: Promise<promises.FileHandle>,
  work: (handle: promises.FileHandle) => Promise<Result>,
): Promise<Result> => {
  const handle = await opening
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

/** What is read at once: a few milliseconds of work. */
const pieceBytes = 1024 * 1024
const lineBreak = 0x0a

const takeAll = (bytes: Buffer): number => bytes.length

const cutAtLineBreak = (bytes: Buffer): number => bytes.lastIndexOf(lineBreak) + 1

/**
 * Reads a stretch of a file piece by piece. `findCut` tells how much of some bytes can be worked on by itself, 0 when
 * more is needed for that. Every piece stands in the same memory, which the next one overwrites.
 */
export async function* readPieces(
  handle: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
  findCut = takeAll,
): AsyncGenerator<Buffer, void, undefined> {
  let room = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - start))
  let filled = 0
  for (let at = start; at < end; ) {
    const { bytesRead } = await handle.read(room, filled, Math.min(room.length - filled, end - at), at)
    at += bytesRead
    filled += bytesRead
    const isLast = at === end || bytesRead === 0
    const cut = isLast ? filled : findCut(room.subarray(0, filled))
    if (cut > 0) yield room.subarray(0, cut)
    if (isLast) return
    room.copyWithin(0, cut, filled)
    filled -= cut
    if (filled < room.length) continue
    const larger = Buffer.allocUnsafeSlow(room.length * 2)
    room.copy(larger)
    room = larger
  }
}

/** The bytes between two places of a file; none behind its end. */
export const readBytes = async (handle: FileHandle, start: number, end: number): Promise<Buffer> => {
  const room = Buffer.alloc(Math.max(0, end - start))
  for (let filled = 0; filled < room.length; ) {
    const { bytesRead } = await handle.read(room, filled, room.length - filled, start + filled)
    if (bytesRead === 0) return room.subarray(0, filled)
    filled += bytesRead
  }
  return room
}

/** A line of a file. */
export interface FileLine {
  readonly start: number
  /** Without its line break. */
  readonly bytes: Buffer
  /** With it, or what stands there. */
  readonly whole: Buffer
  /** Undefined when it is not what was written. */
  readonly line: JournalLine | undefined
  /** False when its line break is damaged or missing. */
  readonly isEnded: boolean
}

/** The line that begins at a place, also when nothing but its line break is damaged; and its bytes without that. */
const readLineAt = (piece: Buffer, start: number): Pick<FileLine, 'line' | 'bytes'> => {
  const found = piece.indexOf(lineBreak, start)
  const bytes = piece.subarray(start, found === -1 ? piece.length : found)
  const line = readLine(bytes)
  const nextOpening = line === undefined ? bytes.indexOf(lineOpening, 1) : -1
  if (nextOpening === -1) return { line, bytes }
  const unbroken = readLine(bytes.subarray(0, nextOpening - 1))
  return unbroken === undefined ? { line, bytes } : { line: unbroken, bytes: bytes.subarray(0, nextOpening - 1) }
}

function* splitPiece(piece: Buffer, before: number): Generator<FileLine> {
  for (let start = 0; start < piece.length; ) {
    const { line, bytes } = readLineAt(piece, start)
    const end = start + bytes.length
    const whole = piece.subarray(start, Math.min(end + 1, piece.length))
    yield { start: before + start, bytes, whole, line, isEnded: piece[end] === lineBreak }
    start += whole.length
  }
}

/** Reads the lines of a file up to a place, those of a piece at once. They are there until the next piece. */
export async function* readFileLines(handle: FileHandle, fileEnd: number): AsyncGenerator<Iterable<FileLine>> {
  let before = 0
  for await (const piece of readPieces(handle, { start: 0, end: fileEnd }, cutAtLineBreak)) {
    yield splitPiece(piece, before)
    before += piece.length
  }
}

/** Where a file is to stand, and a folder of the same file system to write it aside. */
export interface FileLocation {
  readonly path: string
  readonly asideFolder: string
  readonly files: FileOperations
}

/** A file that holds one value. */
export interface DurableFile<Value> extends FileLocation {
  readonly encode: (value: Value) => Iterable<string>
  /** @throws DamagedFile, NewerVersion */
  readonly decode: (text: string) => Value
}

/**
 * Thrown when the disk did not confirm what it was given. What it holds is then unknown, and asking again proves
 * nothing: the kernel reports the loss once and takes the pages for written afterwards.
 */
export class SyncError extends Error {
  override readonly name = 'SyncFailed'
  /** False of a file that was being written aside: nothing that was answered can be in it, and it gets no name. */
  readonly isInUse: boolean

  constructor(path: string, isInUse: boolean, cause: unknown) {
    super(`${path} could not be synced to the disk`, { cause })
    this.isInUse = isInUse
  }
}

/** Makes the names in a folder last. @throws SyncFailed */
export const syncFolder = (files: FileOperations, folder: string): Promise<void> =>
  withHandle(files.open(folder, 'r'), async (handle) => {
    await handle.sync().catch((error: unknown) => {
      throw new SyncError(folder, true, error)
    })
  })

/** Makes a folder in one that exists, so that its name lasts; or finds it there. @throws SyncFailed, or the system's error */
export const makeFolder = async (files: FileOperations, path: string): Promise<void> => {
  try {
    await files.mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
  await syncFolder(files, dirname(path))
}

/**
 * Makes a folder and those above it that are missing. Not `recursive`: where the system refuses a name in a folder that
 * is there with ENOENT, as `/proc` does, Node would try for ever.
 * @throws SyncFailed, or the system's error
 */
export const makeFolders = async (files: FileOperations, path: string): Promise<void> => {
  try {
    await files.stat(path)
    return
  } catch (error) {
    if (!isSystemError(error, 'ENOENT') || dirname(path) === path) throw error
  }
  await makeFolders(files, dirname(path))
  await makeFolder(files, path)
}

/** Removes a file if it is there. */
export const removeFile = (files: FileOperations, path: string): Promise<void> =>
  orIfMissing(files.unlink(path), undefined)

/**
 * Writes a file aside; when it is on disk `use` may give it its name. One that then has none is removed: one that cannot
 * be removed now is when the store is opened next.
 * @throws SyncFailed, the system's error, or what the content and `use` throw
 */
export const writeAside = async (
  { path, asideFolder, files }: FileLocation,
  content: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  use: (aside: string) => Promise<void>,
): Promise<void> => {
  const aside = join(asideFolder, `${basename(path)}.${randomUUID()}`)
  try {
    await withHandle(files.open(aside, 'wx', 0o600), async (handle) => {
      for await (const piece of content) await handle.appendFile(piece)
      await handle.sync().catch((error: unknown) => {
        throw new SyncError(aside, false, error)
      })
    })
    await use(aside)
  } catch (error) {
    await removeFile(files, aside).catch((refusal: unknown) => {
      if (!isSystemError(refusal)) throw refusal
    })
    throw error
  }
}

/**
 * Replaces a file. When it resolves, the new one is on disk; when it throws, the old one still stands there, unless
 * SyncFailed says that the file is in use. `onAside` is called with the path of the new one before that gets its name.
 * @throws SyncFailed, the system's error, or what the content throws
 */
export const replaceFile = async (
  place: FileLocation,
  content: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  onAside: (aside: string) => Promise<void> = async () => undefined,
): Promise<void> => {
  const { path, files } = place
  await writeAside(place, content, async (aside) => {
    await onAside(aside)
    await files.rename(aside, path)
  })
  await syncFolder(files, dirname(path))
}

/** Replaces a file by a copy of one, as `replaceFile` does. @throws SyncFailed, or the system's error */
export const copyDurable = (from: string, place: FileLocation): Promise<void> =>
  withHandle(openFile(place.files, from), async (handle) =>
    replaceFile(place, readPieces(handle, { start: 0, end: (await handle.stat()).size })),
  )

/** lowdb's presets neither sync nor use a name of their own for the file that they write aside; this adapter does. */
const durableAdapter = <Value>(
  file: DurableFile<Value>,
  onAside?: (aside: string) => Promise<void>,
): Adapter<Value> => ({
  read: async () => {
    const reading = checkFile(file.files, file.path).then(() => file.files.readFile(file.path, 'utf8'))
    const text = await orIfMissing(reading, undefined)
    try {
      return text === undefined ? null : file.decode(text)
    } catch (error) {
      throw error instanceof NewerVersion ? new NewerVersion(`${file.path}: ${error.message}`, error.program) : error
    }
  },
  write: (value) => replaceFile(file, file.encode(value), onAside),
})

/** The value in a file, or `fallback` when there is no such file. @throws DamagedFile, NewerVersion, the system's error */
export const readDurable = async <Value>(file: DurableFile<Value>, fallback: Value): Promise<Value> => {
  const low = new Low<Value>(durableAdapter(file), fallback)
  await low.read()
  return low.data
}

/** Replaces the value in a file, as `replaceFile` does. @throws SyncFailed, or the system's error */
export const writeDurable = async <Value>(
  file: DurableFile<Value>,
  value: Value,
  onAside?: (aside: string) => Promise<void>,
): Promise<void> => {
  const low = new Low<Value>(durableAdapter(file, onAside), value)
  await low.write()
}
