import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isSystemError } from '../files/file-operations.ts'
import { type BackupEnd, type BackupHead, createTally, type ItemCounts } from './backup-form.ts'
import { BackupRefused } from './backup-refused.ts'

/** What was written. */
export interface WrittenBackup {
  readonly counts: ItemCounts
  readonly bytes: number
}

/**
 * Writes a backup of items, given as whole lines with their line breaks, in pieces of any size. The file appears when all
 * of it is on disk, readable by its owner only; one of the same name is replaced then, and not touched before.
 * @throws BackupRefused when the file cannot be written; what the items throw
 */
export const writeBackup = async (
  file: string,
  items: AsyncIterable<string>,
  createdAt: number,
): Promise<WrittenBackup> => {
  const aside = `${file}.${randomUUID()}.unfinished`
  try {
    const handle = await open(aside, 'wx', 0o600)
    try {
      const written = await writeLines(handle, items, createdAt)
      await rename(aside, file)
      await syncFolderOf(file)
      return written
    } catch (error) {
      await rm(aside, { force: true })
      throw error
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (isSystemError(error)) throw new BackupRefused(`backup: ${file} cannot be written: ${error.message}`)
    throw error
  }
}

/** Writes head, items and end, compressed, and waits until they are on disk. */
const writeLines = async (
  handle: FileHandle,
  items: AsyncIterable<string>,
  createdAt: number,
): Promise<WrittenBackup> => {
  const head = JSON.stringify({ format: 'thingsync backup', version: 1, createdAt } satisfies BackupHead)
  const tally = createTally(head)

  async function* addFrame(): AsyncGenerator<string, void, undefined> {
    yield `${head}\n`
    for await (const text of items) {
      for (const line of text.split('\n')) if (line !== '') tally.add(line)
      yield text
    }
    yield `${JSON.stringify({ end: tally.counts(), sha256: tally.sha256() } satisfies BackupEnd)}\n`
  }

  await pipeline(Readable.from(addFrame()), createGzip(), async (compressed) => {
    for await (const bytes of compressed) await handle.appendFile(bytes)
  })
  await handle.sync()
  const { size } = await handle.stat()
  return { counts: tally.counts(), bytes: size }
}

const syncFolderOf = async (file: string): Promise<void> => {
  const handle = await open(dirname(file), 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
