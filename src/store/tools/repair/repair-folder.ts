import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { writeAccountFile } from '../../disk/account-writer.ts'
import { makeFolder, syncFolder, writeDurable } from '../../disk/durable-json-file.ts'
import { isSystemError } from '../../disk/file-operations.ts'
import { findPlace, readFormat, writeFormat, writeUnfinishedFormat } from '../../disk/format-file.ts'
import { listAccountFiles } from '../../disk/missing-files.ts'
import { soleOwner } from '../../disk/ownership.ts'
import { chooseDistance } from '../../disk/raises.ts'
import { registryForm } from '../../disk/registry-file.ts'
import { findWayBack } from '../../disk/way-back.ts'
import { registryKey, showAccountKey } from '../../record/journal-keys.ts'
import { DamagedFile } from '../../record/sealed-json.ts'
import { createSegment } from '../../wal/segment-file.ts'
import { describeFiles, ownerUnknown } from '../inspect/describe-files.ts'
import type { FoundFile } from '../inspect/found-file.ts'
import { type ReadAccount, type ReadFolder, readFolder } from '../inspect/read-folder.ts'
import { type Kept, keepAside, moveAside } from './keep-aside.ts'
import { rebuildAccount } from './rebuild-account.ts'
import { salvageAccount } from './salvage-account.ts'
import { rebuildRegistry, salvageRegistry } from './salvage-registry.ts'

/** What a repair did. */
export interface Repair {
  /** What was wrong, file by file. */
  readonly damaged: readonly FoundFile[]
  /** Where everything that was damaged is kept; undefined when nothing was. */
  readonly keptIn: string | undefined
}

const readText = async (path: string): Promise<string> => {
  try {
    return await files.readFile(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return ''
    throw error
  }
}

/**
 * Makes a data folder whole again that this process owns: what is damaged is kept aside in a folder of its own and made
 * again from its readable lines and the journal, and the journal begins anew. Accounts that may have lost something go on
 * at raised positions, so that their clients are listed everything once. Until it is finished no store opens the folder.
 * `now` is Unix time in milliseconds.
 * @throws NewerVersion, and nothing is changed then; the system's error, SyncFailed; the repair can be run again then
 */
export const repairFolder = async (folder: string, now: number): Promise<Repair> => {
  await refuseNewer(folder)
  const read = await readFolder(folder)
  const damaged = describeFiles(read).filter(({ state }) => state === 'damaged')
  if (damaged.length === 0) return { damaged, keptIn: undefined }

  const stamp = new Date(now).toISOString().replaceAll(':', '-').replace(/\..*$/, '')
  const keptIn = join(folder, `repaired-${stamp}`)
  await makeFolder(files, keptIn)
  await makeFolder(files, join(folder, 'unfinished'))
  const work: Work = {
    folder,
    keptIn,
    read,
    by: chooseDistance(now, undefined),
    at: findSeenAt(read) ?? Math.floor(now / 1000),
    isAnyoneSuspect: await mayAnyoneMissWrites(folder, read, now),
    write: Math.max(read.journal.lastFound, read.registry.write, ...read.accounts.map(({ write }) => write)) + 1,
  }
  await keepAside(work, 'format.json')
  await writeUnfinishedFormat(folder, files, 'repair')
  await rewrite(work)
  return { damaged, keptIn }
}

const findSeenAt = ({ format }: ReadFolder): number | undefined =>
  format !== null && 'inventory' in format ? format.inventory?.at : undefined

const refuseNewer = async (folder: string): Promise<void> => {
  try {
    await readFormat(folder, files, 'write')
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
  }
}

interface Work extends Kept {
  readonly read: ReadFolder
  /** How far the positions of accounts that may have lost something are raised. */
  readonly by: number
  /** Unix time in seconds. */
  readonly at: number
  readonly isAnyoneSuspect: boolean
  /** The number of the first line of the new journal; all files that are made hold what was written before it. */
  readonly write: number
}

/** True when it cannot be told which accounts lost writes, or went on at raised positions. */
const mayAnyoneMissWrites = async (folder: string, read: ReadFolder, now: number): Promise<boolean> => {
  const { format, journal, beyondJournal, beforeJournal, missingAccounts, registry, accounts } = read
  if (format === null)
    return describeFiles(read).some(({ file, state }) => file === 'format.json' && state === 'damaged')
  if ('damage' in format || journal.segments.length === 0) return true
  if (beyondJournal !== undefined || beforeJournal !== undefined || missingAccounts.length > 0) return true
  const wayBack = await findWayBack({ folder, journalFolder: join(folder, 'journal'), files, now: () => now }, format)
  // One that was not seen for a while is judged once more at the next start, by the same time.
  if (wayBack !== undefined && wayBack !== 'unseen') return true
  return journal.lastUntold > Math.min(registry.write, ...accounts.map(({ write }) => write))
}

const rewrite = async (work: Work): Promise<void> => {
  const { folder, keptIn, read, by, at, write, isAnyoneSuspect } = work
  await rewriteRegistry(work)
  const saved = new Map<string, number>()
  for (const account of read.accounts) saved.set(basename(account.file), await rewriteAccount(work, account))
  for (const { file, says } of describeFiles(read)) if (says === ownerUnknown) await moveAside(work, file)

  const journalFolder = join(folder, 'journal')
  if (read.journal.segments.length > 0) await files.rename(journalFolder, join(keptIn, 'journal'))
  await syncFolder(files, keptIn)
  await makeFolder(files, journalFolder)
  const asideFolder = join(folder, 'unfinished')
  await (await createSegment({ files, folder: journalFolder, asideFolder, ownership: soleOwner }, write)).close()
  const raises = [...read.raises, ...(isAnyoneSuspect ? [{ write, by }] : [])]
  const names = (await listAccountFiles(files, folder)).map((path) => basename(path))
  const accounts = names.map((name) => [name, saved.get(name) ?? 0] as const)
  const inventory = { at, first: write, outliers: [], write, accounts }
  await writeFormat(folder, files, { place: await findPlace(journalFolder, files), raises, inventory })
}

const rewriteRegistry = async (work: Work): Promise<void> => {
  const { folder, read, write } = work
  const { registry, journal } = read
  const path = join(folder, 'directory.json')
  const salvaged = registry.kept
    ? { document: registry.kept.document, write: journal.lastFound }
    : salvageRegistry(await readText(path))
  const document = rebuildRegistry(salvaged, await journal.readWrites(registryKey, 0))
  if ('errands' in salvaged) journal.errands.begin(salvaged.errands, salvaged.write)
  const errands = journal.errands.list()
  if (registry.damage !== undefined) await keepAside(work, 'directory.json')
  await writeDurable(
    { path, asideFolder: join(folder, 'unfinished'), form: registryForm, files },
    { write, document, errands },
  )
}

/** Gives the last write that the account's file holds then. */
const rewriteAccount = async (work: Work, account: ReadAccount): Promise<number> => {
  const { folder, write, isAnyoneSuspect } = work
  const { journal } = work.read
  const { userId, file, damage } = account
  const path = join(folder, file)
  const isWhole = account.totals !== undefined
  if (isWhole && !account.isBehind && !isAnyoneSuspect) return account.write

  const key = showAccountKey(userId)
  const source = {
    path: journal.findRemoval(key) === undefined ? path : undefined,
    upTo: isWhole ? account.write : Number.POSITIVE_INFINITY,
    readLines: () => journal.readLines(key),
  }
  const rebuilt = await rebuildAccount(() => salvageAccount(source))
  if (rebuilt.isEmpty()) {
    await moveAside(work, file)
    return 0
  }
  if (damage !== undefined) await keepAside(work, file)
  const position = account.position ?? (await rebuilt.findPosition())
  const by = isWhole && !isAnyoneSuspect ? 0 : work.by
  await makeFolder(files, dirname(path))
  const place = { path, asideFolder: join(folder, 'unfinished'), files }
  await writeAccountFile(place, userId, { position: position + by, write }, rebuilt.listSteps(position, by))
  return write
}
