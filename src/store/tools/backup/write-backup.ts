import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isSystemError, withHandle } from '../../disk/file-operations.ts'
import { type BackupEnd, type BackupHead, createTally, type ItemCounts } from '../../record/backup-lines.ts'
import { type BackupTarget, checkTarget, describeUnwritable } from './check-target.ts'

/** What was written. */
export interface WrittenBackup {
  readonly counts: ItemCounts
  readonly bytes: number
}

/** Takes bytes, one piece after the other. */
export type WriteBytes = (bytes: Buffer) => Promise<unknown>

/**
 * Writes a backup of items, given as whole lines with their line breaks, in pieces of any size. The file appears when all
 * of it is on disk, readable by its owner only; a regular file of the same name is replaced then, and not touched before.
 * @throws BackupRefused when the file cannot be written, or stands for something that must not be replaced; what the
 * items throw
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
      // It took a while.
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

  // Not a function that reads: when it throws, the pipeline's own end is thrown once more, to nobody.
  const sink = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      bytes += piece.length
      write(piece).then(() => done(), done)
    },
  })
  await pipeline(Readable.from(addFrame()), createGzip(), sink)
  return { counts: tally.counts(), bytes }
}
