import type { StoredRegistry } from '../backend.ts'
import { encodeAccountKey, readSteps, registryKey } from '../record/journal-line.ts'
import { DamagedFile } from '../record/sealed-json.ts'
import type { StepSink } from '../record/step-sink.ts'
import { decodeRegistryChanges } from '../record/write-steps.ts'
import type { RegistryChanges } from '../registry/registry-state.ts'
import { StoreFailed } from '../store.ts'
import type { JournalReader } from '../wal/journal.ts'
import { takeLines } from '../wal/read-lines.ts'
import type { AccountFiles } from './account-files.ts'
import type { Raise } from './raises.ts'
import type { RegistrySnapshot } from './registry-file.ts'

/** What a line of the journal that is not what it should be is to those who ask for its account. */
export const failOnDamage = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    throw new StoreFailed(`journal: ${key} is damaged: ${error.message}`, { cause: error })
  }
}

/** Refuses a key of which the journal may have lost something behind what its own file holds. @throws StoreFailed */
const checkWhole = (
  journal: Pick<JournalReader, 'folder' | 'lastWrite' | 'findDamage'>,
  key: string,
  saved: number,
): void => {
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

/** The change of the registry in a line that `readLine` has read. @throws DamagedFile */
export const readRegistryLine = (line: Buffer): RegistryChanges => decodeRegistryChanges(readSteps(line))

/** The registry, and the errands of all accounts, from its file and the journal. @throws StoreFailed */
export const loadRegistry = (snapshot: RegistrySnapshot, journal: JournalReader): Promise<StoredRegistry> => {
  const { write, document, errands, errandsWrite = write } = snapshot
  return failOnDamage(registryKey, async () => {
    checkWhole(journal, registryKey, write)
    const writes: RegistryChanges[] = []
    for await (const lines of journal.read(registryKey, { after: write }))
      for (const { bytes } of lines) writes.push(readRegistryLine(bytes))
    journal.errands.begin(errands, errandsWrite)
    return { document, writes, errands: journal.errands.list() }
  })
}

/** What an account is loaded from. */
export interface StoredParts {
  readonly accounts: Pick<AccountFiles, 'load'>
  readonly journal: Omit<JournalReader, 'errands'>
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
  { accounts, journal, raises, upTo = Number.POSITIVE_INFINITY }: StoredParts,
  begin: (position: number) => Sink,
): Promise<{ readonly saved: number; readonly sink: Sink }> => {
  const key = encodeAccountKey(userId)
  return failOnDamage(key, async () => {
    // The file of an account that was removed may have outlived it.
    const removed = journal.removals.get(key)
    const { write: saved, sink } =
      removed === undefined ? await accounts.load(userId, begin) : { write: removed, sink: begin(0) }
    checkWhole(journal, key, saved)
    let after = saved
    for (const { write, by } of raises.filter(({ write }) => write > saved).toSorted((a, b) => a.write - b.write)) {
      await takeLines(journal.read(key, { after, before: write }), sink)
      sink.put({ raisedTo: sink.position() + by })
      after = write
    }
    await takeLines(journal.read(key, { after, before: upTo + 1 }), sink)
    return { saved, sink }
  })
}
