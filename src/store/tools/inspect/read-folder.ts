import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { StoredRegistry } from '../../backend.ts'
import { locateAccount, locateByName } from '../../disk/account-path.ts'
import { type DataFormat, readFormat, readFormatCopy } from '../../disk/format-file.ts'
import type { Inventory } from '../../disk/inventory.ts'
import type { Raise } from '../../disk/raises.ts'
import { encodeAccountKey, findUserId } from '../../record/journal-line.ts'
import { DamagedFile } from '../../record/sealed-json.ts'
import type { AccountTotals } from './count-account.ts'
import { findFileOwner, type Inspected, type InspectParts, inspectAccount, inspectRegistry } from './inspect-files.ts'
import { type ListedFile, listFiles } from './list-files.ts'
import { type FoundJournal, readDespiteRemoval, readJournal } from './read-journal.ts'

/** An account of a data folder; it is not `found` while it cannot be read. */
export interface ReadAccount extends Inspected<AccountTotals> {
  readonly userId: string
  /** The path of its file in the data folder; it may not be there. */
  readonly file: string
  /** True when the journal has writes of it that its file does not hold, or positions were raised since. */
  readonly isBehind: boolean
}

/** All that a data folder holds, each file read as a store would read it. */
export interface ReadFolder {
  readonly listed: readonly ListedFile[]
  /** What `format.json` says; null when there is none, or none that can be read. */
  readonly format: DataFormat | null
  /** In which way it is wrong. */
  readonly formatDamage: string | undefined
  /** The raises that `format.json` tells of, or its copy when it does not. */
  readonly raises: readonly Raise[]
  /** What the folder held, likewise. */
  readonly inventory: Inventory | undefined
  readonly journal: FoundJournal
  readonly registry: Inspected<StoredRegistry>
  readonly accounts: readonly ReadAccount[]
  /** The highest number of a write that is known from elsewhere than the journal, when the journal ends before it. */
  readonly beyondJournal: number | undefined
  /** The number of the first write that the journal must begin with or before, when it begins later. */
  readonly beforeJournal: number | undefined
  /** The files of accounts that must be there and are not, by their paths in the folder. */
  readonly missingAccounts: readonly string[]
}

type FoundFormat = Pick<ReadFolder, 'format' | 'formatDamage' | 'raises' | 'inventory'>

const inspectFormat = async (folder: string): Promise<FoundFormat> => {
  const copy = await readFormatCopy(folder, files)
  const { raises = [], inventory } = copy ?? {}
  try {
    const format = await readFormat(folder, files)
    return { raises, inventory, ...format, format, formatDamage: undefined }
  } catch (error) {
    if (error instanceof DamagedFile) return { format: null, formatDamage: error.message, raises, inventory }
    throw error
  }
}

const readAccount = async (folder: string, userId: string, parts: InspectParts): Promise<ReadAccount> => {
  const inspected = await inspectAccount(folder, userId, parts)
  const after = inspected.write
  const isBehind =
    parts.journal.list(encodeAccountKey(userId), { after }).length > 0 ||
    parts.raises.some(({ write }) => write > after)
  return { ...inspected, userId, file: join('accounts', locateAccount(userId)), isBehind }
}

const listInAccounts = (listed: readonly ListedFile[]): readonly string[] =>
  listed.map(({ file }) => file).filter((file) => dirname(dirname(file)) === 'accounts')

const listUserIds = async (folder: string, accountFiles: readonly string[], journal: FoundJournal) => {
  const userIds = new Set(journal.listKeys().map(findUserId))
  for (const file of accountFiles) userIds.add(await findFileOwner(join(folder, file)))
  return [...userIds].filter((id) => id !== undefined).sort()
}

/**
 * Reads a data folder and changes nothing in it. A server may write it meanwhile: the journal is read first, so that the
 * other files are never older. Where it removed an account behind that, no file has what the journal had of it, and all
 * is read once more.
 * @throws NewerVersion; the system's error when something cannot be read at all
 */
export const readFolder = (folder: string, findJournal = readJournal): Promise<ReadFolder> =>
  readDespiteRemoval(() => readOnce(folder, findJournal), 5)

const readOnce = async (folder: string, findJournal: typeof readJournal): Promise<ReadFolder> => {
  const readOutliers = async () => (await inspectFormat(folder)).inventory?.outliers ?? []
  const journal = await findJournal(folder, readOutliers)
  const registry = await inspectRegistry(folder, journal)
  const listed = await listFiles(folder)
  const accountFiles = listInAccounts(listed)
  const found = await inspectFormat(folder)
  const { raises, inventory } = found
  const known = new Map(inventory?.accounts)
  const accounts: ReadAccount[] = []
  for (const userId of await listUserIds(folder, accountFiles, journal))
    accounts.push(await readAccount(folder, userId, { journal, raises, known }))

  const lastSaved = Math.max(registry.write, inventory?.write ?? 0, ...accounts.map(({ write }) => write))
  // What is beyond the journal as it was read first may stand in it by now.
  const isBeyond = lastSaved > journal.lastFound && lastSaved > (await findJournal(folder, readOutliers)).lastFound
  const { firstFound } = journal
  const isHeadless = inventory !== undefined && firstFound !== undefined && firstFound > inventory.first
  // A server writes down that it removes a file of the journal before it does.
  const isLost = isHeadless && ((await inspectFormat(folder)).inventory?.first ?? 0) < firstFound
  const fileNames = new Set(accountFiles.map((file) => basename(file)))
  return {
    ...found,
    listed,
    journal,
    registry,
    accounts,
    beyondJournal: isBeyond ? lastSaved : undefined,
    beforeJournal: isLost ? inventory.first : undefined,
    missingAccounts: [...known.keys()]
      .filter((name) => !fileNames.has(name))
      .map((name) => join('accounts', locateByName(name))),
  }
}
