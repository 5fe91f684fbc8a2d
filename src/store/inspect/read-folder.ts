import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isEmptyAccount } from '../account/account-document.ts'
import { showAccountPath, showPathOfName } from '../files/account-path.ts'
import { type DataFormat, readFormat } from '../files/format-file.ts'
import type { Inventory } from '../files/inventory.ts'
import type { Raise } from '../files/raises.ts'
import { DamagedFile } from '../files/sealed-json.ts'
import { findUserId } from '../journal/journal-keys.ts'
import type { KeptDirectory } from '../keeper.ts'
import { type AccountTotals, countAccount } from './folder-totals.ts'
import { findFileOwner, type Inspected, inspectAccount, inspectDirectory } from './inspect-snapshots.ts'
import { type ListedFile, listFiles } from './list-files.ts'
import { type FoundJournal, readJournal } from './read-journal.ts'

/** An account of a data folder, without what it holds. */
export interface ReadAccount extends Pick<Inspected<never>, 'write' | 'damage' | 'journalDamage'> {
  readonly userId: string
  /** The path of its file in the data folder; it may not be there. */
  readonly file: string
  /** Undefined while it cannot be read. */
  readonly totals?: AccountTotals
  /** True when nothing was ever written to it, or it was removed. */
  readonly isEmpty: boolean
}

/** All that a data folder holds, each file read as a store would read it. */
export interface ReadFolder {
  readonly listed: readonly ListedFile[]
  /** What `format.json` says, null when there is none, or in which way it is wrong. */
  readonly format: DataFormat | null | { readonly damage: string }
  readonly journal: FoundJournal
  readonly directory: Inspected<KeptDirectory>
  readonly accounts: readonly ReadAccount[]
  /** The highest number of a write that is known from elsewhere than the journal, when the journal ends before it. */
  readonly beyondJournal: number | undefined
  /** The number of the first write that the journal must begin with or before, when it begins later. */
  readonly beforeJournal: number | undefined
  /** The files of accounts that must be there and are not, by their paths in the folder. */
  readonly missingAccounts: readonly string[]
}

const inspectFormat = async (folder: string): Promise<ReadFolder['format']> => {
  try {
    return await readFormat(folder, files)
  } catch (error) {
    if (error instanceof DamagedFile) return { damage: error.message }
    throw error
  }
}

const readAccount = async (
  folder: string,
  userId: string,
  parts: Parameters<typeof inspectAccount>[2],
): Promise<ReadAccount> => {
  const { kept, ...inspected } = await inspectAccount(folder, userId, parts)
  const isEmpty = kept !== undefined && isEmptyAccount(kept.document) && kept.writes.length === 0
  const file = join('accounts', showAccountPath(userId))
  return { ...inspected, userId, file, isEmpty, ...(kept && { totals: countAccount(kept) }) }
}

const listUserIds = async (folder: string, listed: readonly ListedFile[], journal: FoundJournal) => {
  const accountFiles = listed.filter(({ file }) => dirname(dirname(file)) === 'accounts')
  const owners: (string | undefined)[] = []
  for (const { file } of accountFiles) owners.push(await findFileOwner(join(folder, file)))
  return [...new Set([...owners, ...journal.keys.map(findUserId)].filter((id) => id !== undefined))].sort()
}

const inspectFirst = async (folder: string): Promise<number> => {
  const format = await inspectFormat(folder)
  return format !== null && 'inventory' in format ? (format.inventory?.first ?? 0) : 0
}

const findMissing = (listed: readonly ListedFile[], inventory: Inventory | undefined): readonly string[] => {
  const found = new Set(listed.map(({ file }) => basename(file)))
  const missing = inventory?.accounts.filter((name) => !found.has(name)) ?? []
  return missing.map((name) => join('accounts', showPathOfName(name)))
}

/** The raises of a folder whose `format.json` is right; without it none are known. */
export const findRaises = (format: ReadFolder['format']): readonly Raise[] =>
  format === null || 'damage' in format ? [] : format.raises

/**
 * Reads a data folder and changes nothing in it. A server may write it meanwhile: the journal is read first, so that the
 * other files are never older.
 * @throws the system's error when something cannot be read at all
 */
export const readFolder = async (folder: string): Promise<ReadFolder> => {
  const journal = await readJournal(folder)
  const directory = await inspectDirectory(folder, journal)
  const listed = await listFiles(folder)
  const format = await inspectFormat(folder)
  const accounts: ReadAccount[] = []
  for (const userId of await listUserIds(folder, listed, journal))
    accounts.push(await readAccount(folder, userId, { journal, raises: findRaises(format) }))

  const inventory = format !== null && 'inventory' in format ? format.inventory : undefined
  const lastSaved = Math.max(directory.write, inventory?.write ?? 0, ...accounts.map(({ write }) => write))
  // What is beyond the journal as it was read first may stand in it by now.
  const isBeyond = lastSaved > journal.lastFound && lastSaved > (await readJournal(folder)).lastFound
  const beyondJournal = isBeyond ? lastSaved : undefined
  const { firstFound } = journal
  const isHeadless = inventory !== undefined && firstFound !== undefined && firstFound > inventory.first
  // A server writes down that it removes a file of the journal before it does.
  const beforeJournal = isHeadless && (await inspectFirst(folder)) < firstFound ? inventory.first : undefined
  const missingAccounts = findMissing(listed, inventory)
  return { listed, format, journal, directory, accounts, beyondJournal, beforeJournal, missingAccounts }
}
