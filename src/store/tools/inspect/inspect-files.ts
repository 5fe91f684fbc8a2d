import * as files from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { StoredRegistry } from '../../backend.ts'
import type { AccountFiles } from '../../disk/account-files.ts'
import { accountEnding, locateAccount } from '../../disk/account-path.ts'
import { readFileLines } from '../../disk/file-lines.ts'
import { NoFile, openFile, withHandle } from '../../disk/file-operations.ts'
import { loadAccount, loadRegistry } from '../../disk/load-account.ts'
import type { Raise } from '../../disk/raises.ts'
import { readAccountFile, type TakenAccount } from '../../disk/read-account.ts'
import { type RegistrySnapshot, readRegistry } from '../../disk/registry-file.ts'
import { encodeAccountKey, findKey, findUserId } from '../../record/journal-line.ts'
import { DamagedFile, NewerVersion } from '../../record/sealed-json.ts'
import { createRegistryState } from '../../registry/registry-state.ts'
import { StoreFailed } from '../../store.ts'
import { type AccountTotals, beginCount } from './count-account.ts'
import { type FoundJournal, readDespiteRemoval } from './read-journal.ts'

/** What was found in a file and in the journal of its key, or in which way it is damaged. */
export interface Inspected<Found> {
  /** Number of the last write that its file holds; 0 without a file, or with a damaged one. */
  readonly write: number
  readonly found?: Found
  /** Of its file. */
  readonly damage?: string
  /** Of what the journal has to add to it. */
  readonly journalDamage?: string
}

/** The registry and all errands, as a store would open it. */
export const inspectRegistry = (folder: string, journal: FoundJournal): Promise<Inspected<StoredRegistry>> =>
  readDespiteRemoval(async () => {
    let snapshot: RegistrySnapshot
    try {
      snapshot = await readRegistry(folder, files)
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error
      return { write: 0, damage: error.message }
    }
    const { write } = snapshot
    try {
      const found = await loadRegistry(snapshot, journal)
      const state = createRegistryState(found.document)
      for (const changes of found.writes) state.apply(changes)
      return { write, found: { ...found, document: state.document() } }
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error
      return { write, journalDamage: error.message }
    }
  })

/** What accounts are read with. */
export interface InspectParts {
  readonly journal: FoundJournal
  readonly raises: readonly Raise[]
  /** The last write that a file must hold, by its name. */
  readonly known: ReadonlyMap<string, number>
}

/**
 * True when lines stand behind the part of a file that counts which are no unfinished append: the journal has them no more.
 * Those beyond the journal as it was read are of a server that works meanwhile.
 */
const hasLost = (
  path: string,
  { end, write }: Pick<TakenAccount<unknown>, 'end' | 'write'>,
  { journal, key }: { readonly journal: FoundJournal; readonly key: string },
): Promise<boolean> =>
  withHandle(openFile(files, path), async (handle) => {
    const { size } = await handle.stat()
    if (size === end || journal.list(key, { after: write }).length > 0) return false
    for await (const lines of readFileLines(handle, size))
      for (const { start, line } of lines)
        if (line !== undefined && start >= end && line.write > write && line.write <= journal.lastFound) return true
    return false
  })

/** What an account holds, as a store would open it. */
export const inspectAccount = (
  folder: string,
  userId: string,
  { journal, raises, known }: InspectParts,
): Promise<Inspected<AccountTotals>> =>
  readDespiteRemoval(async () => {
    const account = locateAccount(userId)
    const wanted = { key: encodeAccountKey(userId), known: known.get(basename(account)) ?? 0 }
    let saved = 0
    let damage: string | undefined
    const load: AccountFiles['load'] = async (_userId, begin) => {
      try {
        const path = join(folder, 'accounts', account)
        const taken = await readAccountFile({ path, files }, wanted, begin)
        if (taken === undefined) return { write: 0, sink: begin(0) }
        saved = taken.write
        if (await hasLost(path, taken, { journal, key: wanted.key }))
          throw new DamagedFile(`it is whole up to byte ${taken.end} only; what stood behind that is in no other file`)
        return taken
      } catch (error) {
        if (error instanceof DamagedFile) damage = error.message
        throw error
      }
    }
    try {
      const loaded = await loadAccount(userId, { accounts: { load }, journal, raises }, beginCount)
      return { write: loaded.saved, found: loaded.sink.totals() }
    } catch (error) {
      // It is neither damaged nor to be repaired.
      if (!(error instanceof StoreFailed) || error instanceof NewerVersion || error instanceof NoFile) throw error
      return damage === undefined ? { write: saved, journalDamage: error.message } : { write: 0, damage }
    }
  })

/** The user of an account's file, by its name; by what is in it where the name is a hash; undefined for another file. */
export const findFileOwner = async (path: string): Promise<string | undefined> => {
  const name = basename(path)
  if (!name.endsWith(accountEnding)) return undefined
  const plain = name.slice(0, -accountEnding.length)
  if (!plain.startsWith('sha256.')) return plain
  const userId = findUserId((await readFirstKey(path)) ?? '')
  return userId !== undefined && basename(locateAccount(userId)) === name ? userId : undefined
}

/** The key in the first line of a file. */
const readFirstKey = (path: string): Promise<string | undefined> =>
  withHandle(openFile(files, path), async (handle) => {
    for await (const [first] of readFileLines(handle, (await handle.stat()).size)) return first && findKey(first.bytes)
    return undefined
  })
