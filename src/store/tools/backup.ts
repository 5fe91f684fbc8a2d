import { randomUUID } from 'node:crypto'
import { lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isSystemError, orIfMissing, withHandle } from '../disk/files.ts'
import { type BackupEnd, BackupError, type BackupHead, createTally, type ItemCounts } from '../record/backup-format.ts'

/** The file of a backup, and the data folder that is backed up. */
interface BackupTarget {
  readonly file: string
  /** Undefined for a backup of a database. */
  readonly dataFolder: string | undefined
}

/**
 * Checks that a backup, or another file that is written as a whole, may have this path. The path must be a regular
 * file, which will be replaced, or be unused, and must not be in the data folder, by any path.
 * @throws BackupError with what to do; the system's error
 */
export const checkTarget = async (file: string, dataFolder: string | undefined, what = 'backup'): Promise<void> => {
  const folder = await realpath(dirname(file))
  const kind = await findKind(file)
  if (kind !== undefined)
    throw new BackupError(`${what}: ${file} is ${kind}; give the name of a new file, or - for standard output`)
  if (dataFolder !== undefined && (await isInside(folder, dataFolder)))
    throw new BackupError(`${what}: ${file} is in the data folder; give a file outside it`)
}

/** Does the same check before any work. @throws BackupError */
export const rejectTarget = async ({ file, dataFolder }: BackupTarget): Promise<void> => {
  try {
    await checkTarget(file, dataFolder)
  } catch (error) {
    throw isSystemError(error) ? describeUnwritable(file, error) : error
  }
}

/** Describes the error of a file that the system does not let this process write. */
export const describeUnwritable = (
  file: string,
  { code = '', message }: NodeJS.ErrnoException,
  what = 'backup',
): BackupError => {
  const folder = dirname(file)
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `the folder ${folder} does not exist`,
    ENOTDIR: `${folder} is not a folder`,
    EACCES: `this user may not write to ${folder}`,
    EROFS: `${folder} is on a read-only file system`,
    ENOSPC: `${folder} is on a full disk`,
  }
  return new BackupError(`${what}: ${file} cannot be written: ${reasons[code] ?? message}`)
}

/** Describes what is at a path, when a backup must not replace it. */
const findKind = async (file: string): Promise<string | undefined> => {
  const found = await orIfMissing(lstat(file), undefined)
  if (found === undefined || found.isFile()) return undefined
  if (found.isSymbolicLink()) return 'a link'
  return found.isDirectory() ? 'a folder' : 'not a regular file'
}

/**
 * Returns true for a data folder and its content. It compares file system identities, to detect a second mount as well.
 */
export const isInside = async (folder: string, dataFolder: string): Promise<boolean> => {
  const data = await stat(dataFolder, { bigint: true })
  for (let path = folder; ; path = dirname(path)) {
    const { dev, ino } = await stat(path, { bigint: true })
    if (dev === data.dev && ino === data.ino) return true
    if (path === dirname(path)) return false
  }
}

/** The size of a written backup. */
export interface WrittenBackup {
  readonly counts: ItemCounts
  readonly bytes: number
}

/** Writes bytes, one piece after the other. */
export type WriteBytes = (bytes: Buffer) => Promise<unknown>

/**
 * Writes a backup of items, given as whole lines with their line breaks, in pieces of any size. The file appears when
 * all of it is on disk, readable by its owner only. It replaces a regular file of the same name, which is unchanged
 * until then.
 * @throws BackupError when the file cannot be written, or its path must not be replaced; what the items throw
 */
export const writeBackup = async (
  { file, dataFolder }: BackupTarget,
  items: AsyncIterable<string>,
  createdAt: number,
): Promise<WrittenBackup> => {
  const aside = `${file}.${randomUUID()}.unfinished`
  try {
    await checkTarget(file, dataFolder)
    return await withHandle(open(aside, 'wx', 0o600), async (handle) => {
      const written = await writeBackupTo((bytes) => handle.appendFile(bytes), items, createdAt)
      await handle.sync()
      // Checked again, because the writing took a while.
      await checkTarget(file, dataFolder)
      await rename(aside, file)
      await withHandle(open(dirname(file), 'r'), (folder) => folder.sync())
      return written
    }).catch(async (error: unknown) => {
      await rm(aside, { force: true })
      throw error
    })
  } catch (error) {
    throw isSystemError(error) ? describeUnwritable(file, error) : error
  }
}

/** Writes head, items and end, compressed. @throws what `write` and the items throw */
export const writeBackupTo = async (
  write: WriteBytes,
  items: AsyncIterable<string>,
  createdAt: number,
): Promise<WrittenBackup> => {
  const head = JSON.stringify({ format: 'thingsync backup', version: 1, createdAt } satisfies BackupHead)
  const tally = createTally(head)
  let bytes = 0

  async function* addFrame(): AsyncGenerator<string, void, undefined> {
    yield `${head}\n`
    for await (const text of items) {
      for (const line of text.split('\n')) if (line !== '') tally.add(line)
      yield text
    }
    yield `${JSON.stringify({ end: tally.counts(), sha256: tally.sha256() } satisfies BackupEnd)}\n`
  }

  // Not an async function as the pipeline's last stage: its error would cause a second, unhandled error of the
  // pipeline.
  const sink = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      bytes += piece.length
      write(piece).then(() => done(), done)
    },
  })
  await pipeline(Readable.from(addFrame()), createGzip(), sink)
  return { counts: tally.counts(), bytes }
}
