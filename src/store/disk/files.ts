import { randomUUID } from 'node:crypto'
import type * as promises from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { type JournalLine, lineOpening, NewerVersion, readLine } from '../record/checked-lines.ts'
import { StoreError } from '../store.ts'

/** The functions of `node:fs/promises` that the JSON-file store needs. */
export type FileOperations = Pick<
  typeof promises,
  'copyFile' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat' | 'unlink' | 'writeFile'
>

/** Returns true for an error of the operating system, with this code if the caller gives one (`ENOSPC`, `EIO`, …). */
export const isSystemError = (error: unknown, code?: string): error is NodeJS.ErrnoException =>
  error instanceof Error && 'errno' in error && 'code' in error && (code === undefined || error.code === code)

/** Waits for a result of the system. Returns the fallback when the file or folder does not exist. */
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

/** A folder, a pipe or a device has the path of a file that should be read, so its content is unknown. */
export class NotAFile extends StoreError {
  constructor(path: string) {
    super(`${path} is not a file; move it out of the data folder`)
  }
}

/** Checks for a regular file: reading anything else may never end. @throws NotAFile, the system's error */
const checkFile = async (files: Pick<FileOperations, 'stat'>, path: string): Promise<void> => {
  if (!(await files.stat(path)).isFile()) throw new NotAFile(path)
}

/** Opens a regular file for reading. @throws NotAFile, the system's error */
export const openFile = async (
  files: Pick<FileOperations, 'open' | 'stat'>,
  path: string,
): Promise<promises.FileHandle> => {
  await checkFile(files, path)
  return files.open(path, 'r')
}

/** Waits for the opening of a file, works with it, and closes it. */
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

/** Bytes of one read: a few milliseconds of work. */
const pieceBytes = 1024 * 1024
const lineBreak = 0x0a

const takeAll = (bytes: Buffer): number => bytes.length

const cutAtLineBreak = (bytes: Buffer): number => bytes.lastIndexOf(lineBreak) + 1

/**
 * Reads a stretch of a file in pieces. `findCut` returns how many bytes can be processed on their own, or 0 when they
 * need more bytes. All pieces use the same memory, which the next piece overwrites.
 */
export async function* readPieces(
  handle: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
  findCut = takeAll,
): AsyncGenerator<Buffer, void, undefined> {
  let buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - start))
  let filled = 0
  for (let at = start; at < end; ) {
    const { bytesRead } = await handle.read(buffer, filled, Math.min(buffer.length - filled, end - at), at)
    at += bytesRead
    filled += bytesRead
    const isLast = at === end || bytesRead === 0
    const cut = isLast ? filled : findCut(buffer.subarray(0, filled))
    if (cut > 0) yield buffer.subarray(0, cut)
    if (isLast) return
    buffer.copyWithin(0, cut, filled)
    filled -= cut
    if (filled < buffer.length) continue
    const larger = Buffer.allocUnsafeSlow(buffer.length * 2)
    buffer.copy(larger)
    buffer = larger
  }
}

/** Reads the bytes between two offsets of a file; it returns fewer bytes at the end of the file. */
export const readBytes = async (handle: FileHandle, start: number, end: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(Math.max(0, end - start))
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, start + filled)
    if (bytesRead === 0) return buffer.subarray(0, filled)
    filled += bytesRead
  }
  return buffer
}

/** A line of a file. */
export interface FileLine {
  readonly start: number
  /** The bytes without the line break. */
  readonly bytes: Buffer
  /** The bytes with the line break, or with the byte that replaces it. */
  readonly whole: Buffer
  /** Undefined when the line is damaged. */
  readonly line: JournalLine | undefined
  /** False when its line break is damaged or missing. */
  readonly isEnded: boolean
}

/** Reads the line at an offset, and its bytes without the line break. The line break itself may be damaged. */
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

/** Reads the lines of a file up to an offset, in groups. The lines of a group are valid until the next group. */
export async function* readFileLines(handle: FileHandle, fileEnd: number): AsyncGenerator<Iterable<FileLine>> {
  let before = 0
  for await (const piece of readPieces(handle, { start: 0, end: fileEnd }, cutAtLineBreak)) {
    yield splitPiece(piece, before)
    before += piece.length
  }
}

/** The path of a file, and a folder of the same file system for its unfinished version. */
export interface FileLocation {
  readonly path: string
  readonly asideFolder: string
  readonly files: FileOperations
}

/** A file that holds one value, with its encoding. */
export interface DurableFile<Value> extends FileLocation {
  readonly encode: (value: Value) => Iterable<string>
  /** @throws DamagedFile, NewerVersion */
  readonly decode: (text: string) => Value
}

/**
 * The disk did not confirm a write, so its content is unknown. A second sync proves nothing: the kernel reports the
 * loss once and then treats the pages as written.
 */
export class SyncError extends Error {
  override readonly name = 'SyncError'
  /** False for a file without its final name: it can hold nothing that was acknowledged, and never gets the name. */
  readonly isInUse: boolean

  constructor(path: string, isInUse: boolean, cause: unknown) {
    super(`${path} could not be synced to the disk`, { cause })
    this.isInUse = isInUse
  }
}

/** Makes the names in a folder durable. @throws SyncError */
export const syncFolder = (files: FileOperations, folder: string): Promise<void> =>
  withHandle(files.open(folder, 'r'), async (handle) => {
    await handle.sync().catch((error: unknown) => {
      throw new SyncError(folder, true, error)
    })
  })

/**
 * Creates a folder in an existing one and makes its name durable. An existing folder is fine.
 * @throws SyncError, or the system's error
 */
export const createDurableFolder = async (files: FileOperations, path: string): Promise<void> => {
  try {
    await files.mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
  await syncFolder(files, dirname(path))
}

/**
 * Creates a folder and its missing parents. It does not use `recursive`: some folders, such as `/proc`, reject a name
 * with ENOENT although they exist, and then Node would try endlessly.
 * @throws SyncError, or the system's error
 */
export const createDurableFolders = async (files: FileOperations, path: string): Promise<void> => {
  try {
    await files.stat(path)
    return
  } catch (error) {
    if (!isSystemError(error, 'ENOENT') || dirname(path) === path) throw error
  }
  await createDurableFolders(files, dirname(path))
  await createDurableFolder(files, path)
}

/** Removes a file if it exists. */
export const removeFile = (files: FileOperations, path: string): Promise<void> =>
  orIfMissing(files.unlink(path), undefined)

/**
 * Writes a file aside. When the file is on disk, `use` may give it its name. A file that then has no name is removed;
 * if that fails, the next opening of the store removes it.
 * @throws SyncError, the system's error, or what the content and `use` throw
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
    await removeFile(files, aside).catch((removalError: unknown) => {
      if (!isSystemError(removalError)) throw removalError
    })
    throw error
  }
}

/**
 * Replaces a file. When it resolves, the new file is on disk. When it throws, the old file is still there, unless a
 * SyncError says that the file is in use. `onAside` receives the path of the new file before the file gets its name.
 * @throws SyncError, the system's error, or what the content throws
 */
export const replaceFile = async (
  location: FileLocation,
  content: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  onAside: (aside: string) => Promise<void> = async () => undefined,
): Promise<void> => {
  const { path, files } = location
  await writeAside(location, content, async (aside) => {
    await onAside(aside)
    await files.rename(aside, path)
  })
  await syncFolder(files, dirname(path))
}

/** Replaces a file by a copy of another file, as `replaceFile` does. @throws SyncError, or the system's error */
export const copyDurable = (from: string, location: FileLocation): Promise<void> =>
  withHandle(openFile(location.files, from), async (handle) =>
    replaceFile(location, readPieces(handle, { start: 0, end: (await handle.stat()).size })),
  )

/**
 * Adapts a durable file to lowdb. lowdb's presets neither sync nor use a unique name for the file that they write
 * aside.
 */
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

/**
 * Reads the value in a file; returns `fallback` when there is no file.
 * @throws DamagedFile, NewerVersion, the system's error
 */
export const readDurable = async <Value>(file: DurableFile<Value>, fallback: Value): Promise<Value> => {
  const low = new Low<Value>(durableAdapter(file), fallback)
  await low.read()
  return low.data
}

/** Replaces the value in a file, as `replaceFile` does. @throws SyncError, or the system's error */
export const writeDurable = async <Value>(
  file: DurableFile<Value>,
  value: Value,
  onAside?: (aside: string) => Promise<void>,
): Promise<void> => {
  const low = new Low<Value>(durableAdapter(file, onAside), value)
  await low.write()
}
