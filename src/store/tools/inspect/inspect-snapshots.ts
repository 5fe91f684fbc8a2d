import * as files from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { KeptRegistry } from '../../backend.ts'
import type { AccountFiles } from '../../disk/account-files.ts'
import { accountEnding, showAccountPath } from '../../disk/account-path.ts'
import { readDurable } from '../../disk/durable-json-file.ts'
import { loadAccount, loadKeptRegistry } from '../../disk/load-kept.ts'
import type { Raise } from '../../disk/raises.ts'
import { readAccountFile } from '../../disk/read-account.ts'
import { emptyRegistrySnapshot, type RegistrySnapshot, registryForm } from '../../disk/registry-file.ts'
import { findUserId, showAccountKey } from '../../record/journal-keys.ts'
import { findKey } from '../../record/journal-line.ts'
import { DamagedFile, NewerVersion } from '../../record/sealed-json.ts'
import type { StepSink } from '../../record/step-sink.ts'
import { createRegistryState } from '../../registry/registry-state.ts'
import { StoreFailed } from '../../store.ts'
import { type FoundJournal, readDespiteRemoval } from './read-journal.ts'

/** What is in the registry's file and in the journal of it, or in which way it is damaged. */
export interface InspectedRegistry {
  /** Number of the last write that its file holds; 0 without a file, or with a damaged one. */
  readonly write: number
  readonly kept?: KeptRegistry
  /** Of its file. */
  readonly damage?: string
  /** Of what the journal has to add to it. */
  readonly journalDamage?: string
}

/** The same of an account, and what of it was taken. */
export interface InspectedAccount<Sink> extends Omit<InspectedRegistry, 'kept'> {
  readonly sink?: Sink
}

/** The registry and all errands, as a store would open it. */
export const inspectRegistry = (folder: string, journal: FoundJournal): Promise<InspectedRegistry> =>
  readDespiteRemoval(() => inspectRegistryOnce(folder, journal))

const inspectRegistryOnce = async (folder: string, journal: FoundJournal): Promise<InspectedRegistry> => {
  const file = {
    path: join(folder, 'directory.json'),
    asideFolder: join(folder, 'unfinished'),
    form: registryForm,
    files,
  }
  let snapshot: RegistrySnapshot
  try {
    snapshot = await readDurable(file, emptyRegistrySnapshot)
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    return { write: 0, damage: error.message }
  }
  const { write } = snapshot
  try {
    const kept = await loadKeptRegistry({ readRegistry: async () => snapshot }, journal)
    const state = createRegistryState(kept.document)
    for (const changes of kept.writes) state.apply(changes)
    return { write, kept: { ...kept, document: state.document() } }
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    return { write, journalDamage: error.message }
  }
}

/** What accounts are read with. */
export interface InspectParts {
  readonly journal: FoundJournal
  readonly raises: readonly Raise[]
  /** The last write that a file must hold, by its name. */
  readonly known: ReadonlyMap<string, number>
}

/** Hands on what an account holds, as a store would open it; to a new sink, when it has to be read once more. */
export const inspectAccount = <Sink extends StepSink>(
  folder: string,
  userId: string,
  parts: InspectParts,
  begin: (position: number) => Sink,
): Promise<InspectedAccount<Sink>> => readDespiteRemoval(() => inspectAccountOnce(folder, userId, parts, begin))

const inspectAccountOnce = async <Sink extends StepSink>(
  folder: string,
  userId: string,
  { journal, raises, known }: InspectParts,
  begin: (position: number) => Sink,
): Promise<InspectedAccount<Sink>> => {
  const account = showAccountPath(userId)
  const path = join(folder, 'accounts', account)
  const wanted = { key: showAccountKey(userId), known: known.get(basename(account)) ?? 0 }
  let saved = 0
  let damage: string | undefined
  const load: AccountFiles['load'] = async (_userId, beginFile) => {
    try {
      const taken = (await readAccountFile({ path, files }, wanted, beginFile)) ?? { write: 0, sink: beginFile(0) }
      saved = taken.write
      return taken
    } catch (error) {
      if (error instanceof DamagedFile) damage = error.message
      throw error
    }
  }
  try {
    const loaded = await loadAccount(userId, { accounts: { load }, journal, raises }, begin)
    return { write: loaded.saved, sink: loaded.sink }
  } catch (error) {
    // It is neither damaged nor to be repaired.
    if (!(error instanceof StoreFailed) || error instanceof NewerVersion) throw error
    return damage === undefined ? { write: saved, journalDamage: error.message } : { write: 0, damage }
  }
}

/** The user of an account's file, by its name; by what is in it where the name is a hash; undefined for another file. */
export const findFileOwner = async (path: string): Promise<string | undefined> => {
  const name = basename(path)
  if (!name.endsWith(accountEnding)) return undefined
  const plain = name.slice(0, -accountEnding.length)
  if (!plain.startsWith('sha256.')) return plain
  const userId = findUserId((await readFirstKey(path)) ?? '')
  return userId !== undefined && basename(showAccountPath(userId)) === name ? userId : undefined
}

const keyBytes = 64 * 1024

/** The key in the first line of a file. */
const readFirstKey = async (path: string): Promise<string | undefined> => {
  const handle = await files.open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(keyBytes), 0, keyBytes, 0)
    const line = buffer.subarray(0, bytesRead)
    return findKey(line.subarray(0, Math.max(0, line.indexOf('\n'))))
  } finally {
    await handle.close()
  }
}
