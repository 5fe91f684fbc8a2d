import type { Account, BeginLoading } from '../account/account.ts'
import { type AccountDocument, emptyAccount } from '../account/account-document.ts'
import type { Change } from '../change.ts'
import type { Journal } from '../journal/journal.ts'
import { directoryKey, showAccountKey } from '../journal/journal-keys.ts'
import { LineChanged } from '../journal/read-lines.ts'
import { decodeChanges, decodeDirectoryChanges, removal } from '../journal/write-steps.ts'
import type { Kept, KeptDirectory } from '../keeper.ts'
import { StoreFailed } from '../store.ts'
import { decodeWithRaises, type Raise } from './raises.ts'
import { DamagedFile } from './sealed-json.ts'
import type { SnapshotFiles } from './snapshot-files.ts'

const failOnDamage = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DamagedFile || error instanceof LineChanged || error instanceof SyntaxError)) throw error
    throw new StoreFailed(`journal: ${key} is damaged: ${error.message}`, { cause: error })
  }
}

/** What of a journal an account and the directory are read from. */
export type KeptJournal = Pick<Journal, 'folder' | 'lastWrite' | 'readWrites' | 'findDamage' | 'errands'>

const checkWhole = (journal: KeptJournal, key: string, saved: number): void => {
  // Otherwise what is written next would be taken for something that the file holds.
  if (saved > journal.lastWrite())
    throw new StoreFailed(
      `${journal.folder} has lost its end: the file of ${key} holds write ${saved}, the journal ends at ` +
        `${journal.lastWrite()}; put files and journal of the same backup in their place`,
    )
  const damage = journal.findDamage(key, saved)
  if (damage !== undefined)
    throw new StoreFailed(`${damage.path} is damaged at byte ${damage.start}: ${key} may miss writes`)
}

/** The directory, and the errands of all accounts, from its file and the journal. @throws StoreFailed */
export const loadKeptDirectory = async (
  snapshots: Pick<SnapshotFiles, 'readDirectory'>,
  journal: KeptJournal,
): Promise<KeptDirectory> => {
  const { write, document, errands, errandsWrite = write } = await snapshots.readDirectory()
  // Where it cannot be told whose writes are missing, all could not even log in.
  const damage = journal.findDamage(directoryKey, write)
  if (damage === undefined || damage.keys !== undefined) checkWhole(journal, directoryKey, write)
  return failOnDamage(directoryKey, async () => {
    const later = (await journal.readWrites(directoryKey)).filter((kept) => kept.write > write)
    const writes = later.map(({ steps }) => decodeDirectoryChanges(steps))
    journal.errands.begin(errands, errandsWrite)
    return { document, writes, errands: journal.errands.list() }
  })
}

/** What an account is loaded with. */
export interface KeptParts {
  readonly snapshots: Pick<SnapshotFiles, 'readAccount'>
  readonly journal: KeptJournal
  readonly raises: readonly Raise[]
  /** The write that removed the account, if one did; nothing before it counts. */
  readonly removedAt: number | undefined
}

/** What an account is loaded with line by line. */
export interface LinesParts extends Omit<KeptParts, 'snapshots'> {
  readonly snapshots: Pick<SnapshotFiles, 'loadAccount'>
  readonly journal: KeptJournal & Pick<Journal, 'loadWrites'>
}

/**
 * An account from its file and the journal, line by line: what is read is never there as a whole. Undefined when
 * anything in them is not exactly what this program writes, or may be damaged: `loadKeptAccount` then finds out.
 * @throws StoreFailed
 */
export const loadAccountLines = async (
  userId: string,
  { snapshots, journal, raises, removedAt }: LinesParts,
  begin: BeginLoading,
): Promise<Account | undefined> => {
  const key = showAccountKey(userId)
  if (removedAt !== undefined || journal.findDamage(key, 0) !== undefined) return undefined
  const loaded = await snapshots.loadAccount(userId, begin)
  if (loaded === undefined) return undefined
  const { write: saved, loading } = loaded
  if (saved > journal.lastWrite()) return undefined
  let after = saved
  for (const { write, by } of raises.filter(({ write }) => write > saved).toSorted((a, b) => a.write - b.write)) {
    if (!(await journal.loadWrites(key, { after, before: write }, loading))) return undefined
    loading.put({ raisedTo: loading.position() + by })
    after = write
  }
  if (!(await journal.loadWrites(key, { after, before: Number.POSITIVE_INFINITY }, loading))) return undefined
  return loading.finish()
}

/** An account from its file and the journal, each read as a whole. @throws StoreFailed */
export const loadKeptAccount = (
  userId: string,
  { snapshots, journal, raises, removedAt }: KeptParts,
): Promise<Kept<AccountDocument, readonly Change[]>> => {
  const key = showAccountKey(userId)
  return failOnDamage(key, async () => {
    const writes = await journal.readWrites(key)
    const removed = removedAt ?? writes.findLast(({ steps }) => steps === removal)?.write
    // The file of an account that was removed may have outlived it.
    const snapshot =
      removed === undefined ? await snapshots.readAccount(userId) : { write: removed, document: emptyAccount }
    checkWhole(journal, key, snapshot.write)
    const { write: saved, document } = snapshot
    const later = writes
      .filter(({ write }) => write > saved)
      .map(({ write, steps }) => ({ write, decode: (position: number) => decodeChanges(steps, position) }))
    return { document, writes: decodeWithRaises(later, raises, { saved, position: document.position }) }
  })
}
