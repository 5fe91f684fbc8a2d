import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { NewerVersion } from '../record/sealed-json.ts'
import { readPieces } from './file-lines.ts'
import { checkFile, type FileOperations, isSystemError, openFile, orIfMissing, withHandle } from './file-operations.ts'

/** Where a file is to stand, and a folder of the same file system to write it aside. */
export interface FilePlace {
  readonly path: string
  readonly asideFolder: string
  readonly files: FileOperations
}

/** A file that holds one value. */
export interface DurableFile<Value> extends FilePlace {
  readonly encode: (value: Value) => Iterable<string>
  /** @throws DamagedFile, NewerVersion */
  readonly decode: (text: string) => Value
}

/**
 * Thrown when the disk did not confirm what it was given. What it holds is then unknown, and asking again proves
 * nothing: the kernel reports the loss once and takes the pages for written afterwards.
 */
export class SyncFailed extends Error {
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
      throw new SyncFailed(folder, true, error)
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
  { path, asideFolder, files }: FilePlace,
  content: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  use: (aside: string) => Promise<void>,
): Promise<void> => {
  const aside = join(asideFolder, `${basename(path)}.${randomUUID()}`)
  try {
    await withHandle(files.open(aside, 'wx', 0o600), async (handle) => {
      for await (const piece of content) await handle.appendFile(piece)
      await handle.sync().catch((error: unknown) => {
        throw new SyncFailed(aside, false, error)
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
  place: FilePlace,
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
export const copyDurable = (from: string, place: FilePlace): Promise<void> =>
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
