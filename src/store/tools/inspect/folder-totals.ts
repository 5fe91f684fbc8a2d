import type { ReadFolder } from './read-folder.ts'

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
export const sumUpFolder = ({ listed, journal, registry, accounts: read }: ReadFolder): FolderTotals => {
  const { document, errands = [] } = registry.found ?? {}
  const accounts = read.flatMap(({ found }) => (found === undefined || found.isEmpty ? [] : [found]))
  const bytesIn = (start: string) => sum(listed.filter(({ file }) => file.startsWith(start)).map(({ bytes }) => bytes))
  const saved = listed.filter(({ file }) => file === 'directory.json' || file.startsWith('accounts'))
  return {
    users: document?.users.length ?? 0,
    apps: document?.apps.length ?? 0,
    sessions: document?.sessions.length ?? 0,
    accounts: accounts.length,
    things: sum(accounts.map(({ things }) => things)),
    deletions: sum(accounts.map(({ deletions }) => deletions)),
    errands: errands.length,
    bytes: bytesIn(''),
    accountBytes: bytesIn('accounts'),
    journalBytes: bytesIn('journal'),
    journalSegments: journal.segments.length,
    journalWrites: journal.writeCount,
    lastCheckpoint:
      saved.length === 0 ? undefined : Math.floor(Math.max(...saved.map(({ changedAt }) => changedAt)) / 1000),
  }
}
