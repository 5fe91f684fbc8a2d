import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { showAccountPath, showPathOfName } from '../../disk/account-path.ts'
import { type DataFormat, readFormat, readFormatCopy } from '../../disk/format-file.ts'
import type { Inventory } from '../../disk/inventory.ts'
import { oldEnding } from '../../disk/migrate/migrate-folder.ts'
import type { Raise } from '../../disk/raises.ts'
import { findUserId, showAccountKey } from '../../record/journal-keys.ts'
import { DamagedFile } from '../../record/sealed-json.ts'
import { StoreFailed } from '../../store.ts'
import { type AccountTotals, beginCount } from './count-account.ts'
import {
  findFileOwner,
  type InspectedAccount,
  type InspectedRegistry,
  type InspectParts,
  inspectAccount,
  inspectRegistry,
} from './inspect-snapshots.ts'
import { type ListedFile, listFiles } from './list-files.ts'
import { type FoundJournal, readJournal } from './read-journal.ts'

/** An account of a data folder, without what it holds. */
export interface ReadAccount extends Omit<InspectedAccount<never>, 'sink'> {
  readonly userId: string
  /** The path of its file in the data folder; it may not be there. */
  readonly file: string
  /** Undefined while it cannot be read; so is its position. */
  readonly totals?: AccountTotals
  readonly position?: number
  /** True when nothing was ever written to it, or it was removed. */
  readonly isEmpty: boolean
  /** True when the journal has writes of it that its file does not hold, or positions were raised since. */
  readonly isBehind: boolean
}

/** All that a data folder holds, each file read as a store would read it. */
export interface ReadFolder {
  readonly listed: readonly ListedFile[]
  /** What `format.json` says, null when there is none, or in which way it is wrong. */
  readonly format: DataFormat | null | { readonly damage: string }
  /** The raises that `format.json` tells of, or its copy when it does not. */
  readonly raises: readonly Raise[]
  readonly journal: FoundJournal
  readonly registry: InspectedRegistry
  readonly accounts: readonly ReadAccount[]
  /** The highest number of a write that is known from elsewhere than the journal, when the journal ends before it. */
  readonly beyondJournal: number | undefined
  /** The number of the first write that the journal must begin with or before, when it begins later. */
  readonly beforeJournal: number | undefined
  /** The files of accounts that must be there and are not, by their paths in the folder. */
  readonly missingAccounts: readonly string[]
}

const refuseEarlier = (folder: string): StoreFailed =>
  new StoreFailed(
    `${folder} is of an earlier version; start "thingsync serve" on it once, which brings it to this one, or use the version that wrote it`,
  )

const inspectFormat = async (folder: string): Promise<ReadFolder['format']> => {
  try {
    const format = await readFormat(folder, files, 'read')
    if (format?.isEarlier === true) throw refuseEarlier(folder)
    return format
  } catch (error) {
    if (error instanceof DamagedFile) return { damage: error.message }
    throw error
  }
}

const readAccount = async (folder: string, userId: string, parts: InspectParts): Promise<ReadAccount> => {
  const { sink, ...inspected } = await inspectAccount(folder, userId, parts, beginCount)
  const file = join('accounts', showAccountPath(userId))
  const isBehind =
    parts.journal.hasWrites(showAccountKey(userId), inspected.write) ||
    parts.raises.some(({ write }) => write > inspected.write)
  const isEmpty = sink?.isEmpty() === true
  const held = sink && { totals: sink.totals(), position: sink.position() }
  return { ...inspected, userId, file, isEmpty, isBehind, ...held }
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

const inspectOutliers = async (folder: string) => {
  const format = await inspectFormat(folder)
  return format !== null && 'inventory' in format ? (format.inventory?.outliers ?? []) : []
}

const findMissing = (listed: readonly ListedFile[], inventory: Inventory | undefined): readonly string[] => {
  const found = new Set(listed.map(({ file }) => basename(file)))
  const names = inventory?.accounts.map(([name]) => name) ?? []
  return names.filter((name) => !found.has(name)).map((name) => join('accounts', showPathOfName(name)))
}

/** True for files of accounts that this version does not read: without `format.json` nothing else says so. */
const holdsEarlier = (listed: readonly ListedFile[]): boolean =>
  listed.some(({ file }) => dirname(dirname(file)) === 'accounts' && file.endsWith(oldEnding))

const findRaises = async (folder: string, format: ReadFolder['format']): Promise<readonly Raise[]> =>
  format === null || 'damage' in format ? ((await readFormatCopy(folder, files))?.raises ?? []) : format.raises

/** The last write that each file of an account must hold, by its name. */
export const findKnown = (format: ReadFolder['format']): ReadonlyMap<string, number> =>
  new Map(format === null || 'damage' in format ? [] : format.inventory?.accounts)

/**
 * Reads a data folder and changes nothing in it. A server may write it meanwhile: the journal is read first, so that the
 * other files are never older.
 * @throws NewerVersion; the system's error when something cannot be read at all
 */
export const readFolder = async (folder: string): Promise<ReadFolder> => {
  const readOutliers = () => inspectOutliers(folder)
  const journal = await readJournal(folder, readOutliers)
  const registry = await inspectRegistry(folder, journal)
  const listed = await listFiles(folder)
  const format = await inspectFormat(folder)
  if ((format === null || 'damage' in format) && holdsEarlier(listed)) throw refuseEarlier(folder)
  const inventory = format !== null && 'inventory' in format ? format.inventory : undefined
  const raises = await findRaises(folder, format)
  const parts = { journal, raises, known: findKnown(format) }
  const accounts: ReadAccount[] = []
  for (const userId of await listUserIds(folder, listed, journal))
    accounts.push(await readAccount(folder, userId, parts))

  const lastSaved = Math.max(registry.write, inventory?.write ?? 0, ...accounts.map(({ write }) => write))
  // What is beyond the journal as it was read first may stand in it by now.
  const isBeyond = lastSaved > journal.lastFound && lastSaved > (await readJournal(folder, readOutliers)).lastFound
  const beyondJournal = isBeyond ? lastSaved : undefined
  const { firstFound } = journal
  const isHeadless = inventory !== undefined && firstFound !== undefined && firstFound > inventory.first
  // A server writes down that it removes a file of the journal before it does.
  const beforeJournal = isHeadless && (await inspectFirst(folder)) < firstFound ? inventory.first : undefined
  const missingAccounts = findMissing(listed, inventory)
  return { listed, format, raises, journal, registry, accounts, beyondJournal, beforeJournal, missingAccounts }
}
