import { basename } from 'node:path'
import { createTurns } from '../turns.ts'
import { showAccountPath } from './account-path.ts'

/**
 * What a data folder held when that was last written down: before anything of it was removed, and when it was last
 * closed. What is gone since then was lost.
 */
export interface Inventory {
  /** Unix time in seconds. */
  readonly at: number
  /** Number of the first write of the journal's oldest file. */
  readonly first: number
  /** Number of a write that was on disk. */
  readonly write: number
  /** The names of the accounts' files. */
  readonly accounts: readonly string[]
}

/** Keeps the inventory of an open data folder. */
export interface InventoryKeeper {
  /** True when an account must have a file. */
  readonly hasAccount: (userId: string) => boolean
  /** To be told that an account has a file now. */
  readonly noteWritten: (userId: string) => void
  /** To be told before the file of an account is removed. @throws StoreFailed */
  readonly noteRemoval: (userId: string) => Promise<void>
  /** Writes it down, for a journal that begins with this write, or as it did. @throws StoreFailed */
  readonly save: (first?: number) => Promise<void>
}

const showName = (userId: string): string => basename(showAccountPath(userId))

/** Begins with what is known and what was found; `write` replaces what is written down. */
export const createInventoryKeeper = (
  accounts: Iterable<string>,
  write: (accounts: readonly string[], first: number | undefined) => Promise<void>,
): InventoryKeeper => {
  const names = new Set(accounts)
  const turns = createTurns()
  const save = (first?: number): Promise<void> => turns.take('save', () => write([...names], first))

  return {
    hasAccount: (userId) => names.has(showName(userId)),
    noteWritten: (userId) => void names.add(showName(userId)),
    noteRemoval: async (userId) => {
      if (names.delete(showName(userId))) await save()
    },
    save,
  }
}
