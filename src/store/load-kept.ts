import { type AccountDocument, emptyAccount } from './account-document.ts'
import { type Change, findPosition } from './change.ts'
import type { DirectoryChanges, DirectoryDocument } from './directory-state.ts'
import type { Journal } from './journal/journal.ts'
import { type KeptWrite, LineChanged } from './journal/read-lines.ts'
import { decodeChanges, decodeDirectoryChanges, removal } from './journal/write-steps.ts'
import type { Kept } from './keeper.ts'
import { DamagedFile } from './sealed-json.ts'
import type { SnapshotFiles } from './snapshot-files.ts'
import { StoreFailed } from './store.ts'

/** The key of the directory in the journal. */
export const directoryKey = 'directory'

const accountPrefix = 'account '

/** The key of an account in the journal. */
export const showAccountKey = (userId: string): string => `${accountPrefix}${userId}`

/** The account of a key; undefined for that of the directory. */
export const findUserId = (key: string): string | undefined =>
  key.startsWith(accountPrefix) ? key.slice(accountPrefix.length) : undefined

const failOnDamage = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DamagedFile || error instanceof LineChanged || error instanceof SyntaxError)) throw error
    throw new StoreFailed(`journal: ${key} is damaged: ${error.message}`, { cause: error })
  }
}

/** What of a journal an account and the directory are read from. */
export type KeptJournal = Pick<Journal, 'readWrites' | 'findDamage'>

const checkWhole = (journal: KeptJournal, key: string, saved: number): void => {
  const damage = journal.findDamage(key, saved)
  if (damage !== undefined)
    throw new StoreFailed(`${damage.path} is damaged at byte ${damage.start}: ${key} may miss writes`)
}

/** The directory from its file and the journal. @throws StoreFailed */
export const loadKeptDirectory = async (
  snapshots: Pick<SnapshotFiles, 'readDirectory'>,
  journal: KeptJournal,
): Promise<Kept<DirectoryDocument, DirectoryChanges>> => {
  const { write, document } = await snapshots.readDirectory()
  // Where it cannot be told whose writes are missing, all could not even log in.
  if (journal.findDamage(directoryKey, write)?.keys !== undefined) checkWhole(journal, directoryKey, write)
  return failOnDamage(directoryKey, async () => {
    const later = (await journal.readWrites(directoryKey)).filter((kept) => kept.write > write)
    return { document, writes: later.map(({ steps }) => decodeDirectoryChanges(steps)) }
  })
}

const decodeEach = (document: AccountDocument, later: readonly KeptWrite[]): readonly (readonly Change[])[] => {
  let { position } = document
  return later.map(({ steps }) => {
    const changes = decodeChanges(steps, position)
    position = changes.reduce((last, change) => findPosition(change) ?? last, position)
    return changes
  })
}

/** An account from its file and the journal. Nothing that was before the write `removedAt` counts. @throws StoreFailed */
export const loadKeptAccount = (
  userId: string,
  snapshots: Pick<SnapshotFiles, 'readAccount'>,
  journal: KeptJournal,
  removedAt?: number,
): Promise<Kept<AccountDocument, readonly Change[]>> => {
  const key = showAccountKey(userId)
  return failOnDamage(key, async () => {
    const writes = await journal.readWrites(key)
    const removed = removedAt ?? writes.findLast(({ steps }) => steps === removal)?.write
    // The file of an account that was removed may have outlived it.
    const snapshot =
      removed === undefined ? await snapshots.readAccount(userId) : { write: removed, document: emptyAccount }
    checkWhole(journal, key, snapshot.write)
    const later = writes.filter(({ write }) => write > snapshot.write)
    return { document: snapshot.document, writes: decodeEach(snapshot.document, later) }
  })
}
