import { basename } from 'node:path'
import type { Outlier } from '../wal/journal-index.ts'
import { createTurns } from '../write/turns.ts'
import { locateAccount } from './account-path.ts'

/**
 * What a data folder held when that was last written down: before anything of it was removed, and when it was last
 * closed. What is gone since then was lost.
 */
export interface Inventory {
  /** Unix time in seconds. */
  readonly at: number
  /** Number of the first write of the journal's oldest file behind which none is missing. */
  readonly first: number
  /** The files of the journal before it: what they hold of damaged accounts stands nowhere else. */
  readonly outliers: readonly Outlier[]
  /** Number of a write that was on disk. */
  readonly write: number
  /** The accounts' files. */
  readonly accounts: readonly KnownFile[]
}

/** The name of an account's file, and the last write that it was known to hold. */
export type KnownFile = readonly [name: string, write: number]

/** What an inventory says of the journal's files. */
export type JournalLeft = Pick<Inventory, 'first' | 'outliers'>

/** Keeps the inventory of an open data folder. */
export interface InventoryWriter {
  /** The last write that the file of an account must hold; undefined when it need not have one. */
  readonly findKnown: (userId: string) => number | undefined
  /** To be told that an account has a file now, which holds its writes up to one. */
  readonly noteWritten: (userId: string, write: number) => void
  /** To be told before the file of an account is removed. @throws StoreFailed */
  readonly noteRemoval: (userId: string) => Promise<void>
  /** Writes it down, for a journal of which this is left, or of which nothing was removed. @throws StoreFailed */
  readonly save: (left?: JournalLeft) => Promise<void>
}

const nameFile = (userId: string): string => basename(locateAccount(userId))

/** Begins with what is known and what was found; `write` replaces what is written down. */
export const createInventoryWriter = (
  accounts: Iterable<KnownFile>,
  write: (accounts: readonly KnownFile[], left: JournalLeft | undefined) => Promise<void>,
): InventoryWriter => {
  const known = new Map(accounts)
  const turns = createTurns()
  const save = (left?: JournalLeft): Promise<void> => turns.take('save', () => write([...known], left))

  return {
    findKnown: (userId) => known.get(nameFile(userId)),
    noteWritten: (userId, write) => void known.set(nameFile(userId), write),
    noteRemoval: async (userId) => {
      if (known.delete(nameFile(userId))) await save()
    },
    save,
  }
}
