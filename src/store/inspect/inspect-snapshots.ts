import * as files from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { AccountDocument } from '../account/account-document.ts'
import type { Change } from '../change.ts'
import { createDirectoryState } from '../directory-state.ts'
import { accountForm, emptyAccountSnapshot } from '../files/account-file.ts'
import { showAccountPath } from '../files/account-path.ts'
import { directoryForm, emptyDirectorySnapshot } from '../files/directory-file.ts'
import { readDurable, type TextForm } from '../files/durable-json-file.ts'
import { loadKeptAccount, loadKeptDirectory } from '../files/load-kept.ts'
import type { Raise } from '../files/raises.ts'
import { DamagedFile } from '../files/sealed-json.ts'
import type { Snapshot } from '../files/snapshot.ts'
import type { Kept, KeptDirectory } from '../keeper.ts'
import { StoreFailed } from '../store.ts'
import type { FoundJournal } from './read-journal.ts'

/** What is in a snapshot's file and in the journal of it, or in which way it is damaged. */
export interface Inspected<Held extends Kept<unknown, unknown>> {
  /** Number of the last write that its file holds; 0 without a file, or with a damaged one. */
  readonly write: number
  readonly kept?: Held
  /** Of its file. */
  readonly damage?: string
  /** Of what the journal has to add to it. */
  readonly journalDamage?: string
}

/** An account, as a store would open it. */
export type InspectedAccount = Inspected<Kept<AccountDocument, readonly Change[]>>

const inspect = async <Found extends Snapshot<unknown>, Held extends Kept<unknown, unknown>>(
  readFile: () => Promise<Found>,
  load: (read: () => Promise<Found>) => Promise<Held>,
): Promise<Inspected<Held>> => {
  let snapshot: Found
  try {
    snapshot = await readFile()
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    return { write: 0, damage: error.message }
  }
  const { write } = snapshot
  try {
    return { write, kept: await load(async () => snapshot) }
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    return { write, journalDamage: error.message }
  }
}

const readSnapshot = <Found>(folder: string, name: string, form: TextForm<Found>, fallback: Found): Promise<Found> =>
  readDurable({ path: join(folder, name), asideFolder: join(folder, 'unfinished'), form, files }, fallback)

/** The directory and all errands, as a store would open it. */
export const inspectDirectory = async (folder: string, journal: FoundJournal): Promise<Inspected<KeptDirectory>> => {
  const found = await inspect(
    () => readSnapshot(folder, 'directory.json', directoryForm, emptyDirectorySnapshot),
    (readDirectory) => loadKeptDirectory({ readDirectory }, journal),
  )
  if (found.kept === undefined) return found
  const state = createDirectoryState(found.kept.document)
  for (const changes of found.kept.writes) state.apply(changes)
  return { ...found, kept: { ...found.kept, document: state.document() } }
}

/** An account, as a store would open it. */
export const inspectAccount = (
  folder: string,
  userId: string,
  { journal, raises }: { readonly journal: FoundJournal; readonly raises: readonly Raise[] },
): Promise<InspectedAccount> =>
  inspect(
    () => readSnapshot(folder, join('accounts', showAccountPath(userId)), accountForm(userId), emptyAccountSnapshot),
    (readAccount) => loadKeptAccount(userId, { snapshots: { readAccount }, journal, raises, removedAt: undefined }),
  )

/** The user of an account's file, by its name; by what is in it where the name is a hash; undefined for another file. */
export const findFileOwner = async (path: string): Promise<string | undefined> => {
  const name = basename(path)
  if (!name.endsWith('.json')) return undefined
  const plain = name.slice(0, -'.json'.length)
  if (!plain.startsWith('sha256.')) return plain
  const head = (await files.readFile(path, 'utf8')).split('\n', 1)[0] ?? ''
  const found = /"userId":("(?:[^"\\]|\\.)*")/.exec(head)?.[1]
  const userId = found === undefined ? undefined : parseText(found)
  return userId !== undefined && basename(showAccountPath(userId)) === name ? userId : undefined
}

const parseText = (text: string): string | undefined => {
  try {
    return String(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
