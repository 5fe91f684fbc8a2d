import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { NewerVersion } from '../record/sealed-json.ts'
import { type FileOperations, isSystemError } from './file-operations.ts'

/** How a value stands in a file. */
export interface TextForm<Value> {
  readonly encode: (value: Value) => Iterable<string>
  /** @throws DamagedFile, NewerVersion */
  readonly decode: (text: string) => Value
}

/** A file, and a folder of the same file system to write it aside. */
export interface DurableFile<Value> {
  readonly path: string
  readonly asideFolder: string
  readonly form: TextForm<Value>
  readonly files: FileOperations
  /** Called with the path of a file that was written aside and is on disk, before it gets its name. */
  readonly onAside?: (aside: string) => Promise<void>
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
export const syncFolder = async (files: FileOperations, folder: string): Promise<void> => {
  const handle = await files.open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    throw new SyncFailed(folder, true, error)
  } finally {
    await handle.close()
  }
}

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

/** Writes a new file and waits until its content is on disk. @throws SyncFailed, or the system's error */
export const writeAside = async (files: FileOperations, path: string, content: Iterable<string>): Promise<void> => {
  const handle = await files.open(path, 'wx', 0o600)
  try {
    for (const text of content) await handle.appendFile(text)
    await handle.sync().catch((error: unknown) => {
      throw new SyncFailed(path, false, error)
    })
  } finally {
    await handle.close()
  }
}

/** Copies a file and waits until the copy is on disk; what stood there is replaced. @throws SyncFailed, or the system's error */
export const copyDurable = async (files: FileOperations, from: string, to: string): Promise<void> => {
  await files.copyFile(from, to)
  const handle = await files.open(to, 'r+')
  try {
    await handle.sync().catch((error: unknown) => {
      throw new SyncFailed(to, false, error)
    })
  } finally {
    await handle.close()
  }
}

/** Removes a file if it is there. */
export const removeFile = async (files: FileOperations, path: string): Promise<void> => {
  try {
    await files.unlink(path)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
  }
}

/** Removes a file that was written aside; one that cannot be removed now is removed when the store is opened next. */
export const discardAside = async (files: FileOperations, aside: string): Promise<void> => {
  try {
    await removeFile(files, aside)
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

/** lowdb's presets neither sync nor use a name of their own for the file that they write aside; this adapter does. */
const durableAdapter = <Value>(file: DurableFile<Value>): Adapter<Value> => {
  const { path, asideFolder, form, files, onAside } = file

  const read = async (): Promise<Value | null> => {
    try {
      return form.decode(await files.readFile(path, 'utf8'))
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return null
      throw error instanceof NewerVersion ? new NewerVersion(`${path}: ${error.message}`, error.program) : error
    }
  }

  const write = async (value: Value): Promise<void> => {
    const aside = join(asideFolder, `${basename(path)}.${randomUUID()}`)
    try {
      await writeAside(files, aside, form.encode(value))
      await onAside?.(aside)
      await files.rename(aside, path)
    } catch (error) {
      await discardAside(files, aside)
      throw error
    }
    await syncFolder(files, dirname(path))
  }

  return { read, write }
}

/** The value in a file, or `fallback` when there is no such file. @throws DamagedFile, NewerVersion, the system's error */
export const readDurable = async <Value>(file: DurableFile<Value>, fallback: Value): Promise<Value> => {
  const low = new Low<Value>(durableAdapter(file), fallback)
  await low.read()
  return low.data
}

/**
 * Replaces the value in a file. When it resolves, the new value is on disk; when it throws, the old one still stands
 * there, unless SyncFailed says that the file is in use.
 * @throws SyncFailed, or the system's error
 */
export const writeDurable = async <Value>(file: DurableFile<Value>, value: Value): Promise<void> => {
  const low = new Low<Value>(durableAdapter(file), value)
  await low.write()
}
