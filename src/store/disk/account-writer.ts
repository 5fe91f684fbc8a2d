import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { type AccountHead, beginBase } from '../record/account-record.ts'
import { discardAside, SyncFailed, syncFolder } from './durable-json-file.ts'
import type { FileOperations } from './file-operations.ts'

/** Where the file of an account is to stand. */
export interface AccountPlace {
  readonly path: string
  /** A folder of the same file system to write it aside. */
  readonly asideFolder: string
  readonly files: FileOperations
}

// Not one `for await` over both: of a million steps each would cost a turn.
async function* fillLines(
  userId: string,
  head: AccountHead,
  steps: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Buffer> {
  const base = beginBase(userId, head)
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
 * Writes the file of an account out of steps, as JSON. It gets its name when all of it is on disk, and not before.
 * @throws SyncFailed, the system's error, or what the steps throw
 */
export const writeAccountFile = async (
  { path, asideFolder, files }: AccountPlace,
  userId: string,
  head: AccountHead,
  steps: Iterable<string> | AsyncIterable<string>,
): Promise<void> => {
  const aside = join(asideFolder, `${basename(path)}.${randomUUID()}`)
  try {
    const handle = await files.open(aside, 'wx', 0o600)
    try {
      for await (const lines of fillLines(userId, head, steps)) await handle.appendFile(lines)
      await handle.sync().catch((error: unknown) => {
        throw new SyncFailed(aside, false, error)
      })
    } finally {
      await handle.close()
    }
    await files.rename(aside, path)
  } catch (error) {
    await discardAside(files, aside)
    throw error
  }
  await syncFolder(files, dirname(path))
}
