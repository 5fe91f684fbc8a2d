import type { KeptRegistry } from '../backend.ts'
import { registryKey, showAccountKey } from '../record/journal-keys.ts'
import { DamagedFile } from '../record/sealed-json.ts'
import type { StepSink } from '../record/step-sink.ts'
import { decodeRegistryChanges } from '../record/write-steps.ts'
import { StoreFailed } from '../store.ts'
import type { Damage } from '../wal/found-lines.ts'
import type { Journal } from '../wal/journal.ts'
import { LineChanged } from '../wal/read-lines.ts'
import type { AccountFiles } from './account-files.ts'
import type { Raise } from './raises.ts'
import type { SnapshotFiles } from './snapshot-files.ts'

/** What a line of the journal that is not what it should be is to those who ask for its account. */
export const failOnDamage = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DamagedFile || error instanceof LineChanged || error instanceof SyntaxError)) throw error
    throw new StoreFailed(`journal: ${key} is damaged: ${error.message}`, { cause: error })
  }
}

/** What of a journal an account and the registry are read from. */
export type KeptJournal = Pick<
  Journal,
  'folder' | 'lastWrite' | 'readWrites' | 'loadWrites' | 'findDamage' | 'findNamedDamage' | 'findRemoval' | 'errands'
>

/** Refuses a key of which the journal may have lost something behind what its own file holds. @throws StoreFailed */
const checkWhole = (
  journal: Pick<KeptJournal, 'folder' | 'lastWrite'>,
  key: string,
  { saved, damage }: { readonly saved: number; readonly damage: Damage | undefined },
): void => {
  // Otherwise what is written next would be taken for something that the file holds.
  if (saved > journal.lastWrite())
    throw new StoreFailed(
      `${journal.folder} has lost its end: the file of ${key} holds write ${saved}, the journal ends at ` +
        `${journal.lastWrite()}; put files and journal of the same backup in their place`,
    )
  if (damage !== undefined)
    throw new StoreFailed(`${damage.path} is damaged at byte ${damage.start}: ${key} may miss writes`)
}

/** The registry, and the errands of all accounts, from its file and the journal. @throws StoreFailed */
export const loadKeptRegistry = async (
  snapshots: Pick<SnapshotFiles, 'readRegistry'>,
  journal: KeptJournal,
): Promise<KeptRegistry> => {
  const { write, document, errands, errandsWrite = write } = await snapshots.readRegistry()
  // Where it cannot be told whose writes are missing, all could not even log in. That must not hide what is its own.
  checkWhole(journal, registryKey, { saved: write, damage: journal.findNamedDamage(registryKey, write) })
  return failOnDamage(registryKey, async () => {
    const writes = (await journal.readWrites(registryKey, write)).map(({ steps }) => decodeRegistryChanges(steps))
    journal.errands.begin(errands, errandsWrite)
    return { document, writes, errands: journal.errands.list() }
  })
}

/** What an account is loaded from. */
export interface KeptParts {
  readonly accounts: Pick<AccountFiles, 'load'>
  readonly journal: Omit<KeptJournal, 'errands' | 'readWrites'>
  readonly raises: readonly Raise[]
  /** The last write that counts; all of them without it. */
  readonly upTo?: number
}

/**
 * An account from its file and the journal, line by line: what is read is never there as a whole. Gives the sink that
 * `begin` gave for the position that the file's base has, and the last write that the file holds.
 * @throws StoreFailed when anything in them is not what this program writes, or may be missing
 */
export const loadAccount = <Sink extends StepSink>(
  userId: string,
  { accounts, journal, raises, upTo = Number.POSITIVE_INFINITY }: KeptParts,
  begin: (position: number) => Sink,
): Promise<{ readonly saved: number; readonly sink: Sink }> => {
  const key = showAccountKey(userId)
  return failOnDamage(key, async () => {
    // The file of an account that was removed may have outlived it.
    const removed = journal.findRemoval(key)
    const { write: saved, sink } =
      removed === undefined ? await accounts.load(userId, begin) : { write: removed, sink: begin(0) }
    checkWhole(journal, key, { saved, damage: journal.findDamage(key, saved) })
    let after = saved
    for (const { write, by } of raises.filter(({ write }) => write > saved).toSorted((a, b) => a.write - b.write)) {
      await journal.loadWrites(key, { after, before: write }, sink)
      sink.put({ raisedTo: sink.position() + by })
      after = write
    }
    await journal.loadWrites(key, { after, before: upTo + 1 }, sink)
    return { saved, sink }
  })
}
