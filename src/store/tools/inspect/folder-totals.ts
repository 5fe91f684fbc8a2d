import type { KeptRegistry } from '../../backend.ts'
import type { AccountTotals } from './count-account.ts'
import type { ListedFile } from './list-files.ts'
import type { FoundJournal } from './read-journal.ts'

/** How much a data folder holds, as of its last write that is on disk. */
export interface FolderTotals {
  readonly users: number
  readonly apps: number
  readonly sessions: number
  /** Accounts that were ever written to. */
  readonly accounts: number
  readonly things: number
  /** Things that were deleted, of which clients must still hear. */
  readonly deletions: number
  /** What is still to be told to webhooks and devices. */
  readonly errands: number
  /** Of all files in the folder, of the accounts' files, and of the journal. */
  readonly bytes: number
  readonly accountBytes: number
  readonly journalBytes: number
  readonly journalSegments: number
  /** Writes that the journal still holds; some may stand in the accounts' files too. */
  readonly journalWrites: number
  /** When the registry or an account was last brought from the journal to its own file: Unix time in seconds. */
  readonly lastCheckpoint: number | undefined
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Adds up what was found in a folder. */
export const sumUpFolder = (
  listed: readonly ListedFile[],
  journal: FoundJournal,
  registry: KeptRegistry | undefined,
  accounts: readonly AccountTotals[],
): FolderTotals => {
  const bytesIn = (start: string) => sum(listed.filter(({ file }) => file.startsWith(start)).map(({ bytes }) => bytes))
  const saved = listed.filter(({ file }) => file === 'directory.json' || file.startsWith('accounts'))
  return {
    users: registry?.document.users.length ?? 0,
    apps: registry?.document.apps.length ?? 0,
    sessions: registry?.document.sessions.length ?? 0,
    accounts: accounts.length,
    things: sum(accounts.map(({ things }) => things)),
    deletions: sum(accounts.map(({ deletions }) => deletions)),
    errands: registry?.errands.length ?? 0,
    bytes: bytesIn(''),
    accountBytes: bytesIn('accounts'),
    journalBytes: bytesIn('journal'),
    journalSegments: journal.segments.length,
    journalWrites: journal.writeCount,
    lastCheckpoint:
      saved.length === 0 ? undefined : Math.floor(Math.max(...saved.map(({ changedAt }) => changedAt)) / 1000),
  }
}
