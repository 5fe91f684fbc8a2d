import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { writeAccountFile } from '../../disk/account-writer.ts'
import { copyDurable, makeFolder, removeFile, syncFolder } from '../../disk/durable-json-file.ts'
import { orIfMissing } from '../../disk/file-operations.ts'
import { findPlace, isHalfRestored, readFormat, writeFormat, writeUnfinishedFormat } from '../../disk/format-file.ts'
import { listAccountFiles } from '../../disk/missing-files.ts'
import { soleOwner } from '../../disk/ownership.ts'
import { chooseDistance } from '../../disk/raises.ts'
import { writeRegistry } from '../../disk/registry-file.ts'
import { findWayBack } from '../../disk/way-back.ts'
import { encodeAccountKey, registryKey } from '../../record/journal-line.ts'
import { DamagedFile } from '../../record/sealed-json.ts'
import { StoreFailed } from '../../store.ts'
import { createSegment } from '../../wal/segment-file.ts'
import type { FoundFile } from '../inspect/describe-files.ts'
import { describeFiles, ownerUnknown } from '../inspect/describe-files.ts'
import { type ReadAccount, type ReadFolder, readFolder } from '../inspect/read-folder.ts'
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

/**
 * Makes a data folder whole again that this process owns: what is damaged is kept aside in a folder of its own and made
 * again from its readable lines and the journal, and the journal begins anew. Accounts that may have lost something go on
 * at raised positions, so that their clients are listed everything once. Until it is finished no store opens the folder.
 * `now` is Unix time in milliseconds.
 * @throws NewerVersion, StoreFailed of what was half restored, and nothing is changed then; the system's error, SyncFailed;
 * the repair can be run again then
 */
export const repairFolder = async (folder: string, now: number): Promise<Repair> => {
  await refuseUnrepairable(folder)
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
    at: read.inventory?.at ?? Math.floor(now / 1000),
    isAnyoneSuspect: await mayAnyoneMissWrites(folder, read, now),
    write: Math.max(read.journal.lastFound, read.registry.write, ...read.accounts.map(({ write }) => write)) + 1,
  }
  await copyAside(work, 'format.json')
  await writeUnfinishedFormat(folder, files, 'repair')
  await rewrite(work)
  return { damaged, keptIn }
}

const refuseUnrepairable = async (folder: string): Promise<void> => {
  try {
    await readFormat(folder, files)
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    if (isHalfRestored(error.message))
      throw new StoreFailed(`${folder} was half restored; empty it and restore or copy again`)
  }
}

interface Work {
  readonly folder: string
  /** The folder in it where everything that is replaced is kept. */
  readonly keptIn: string
  readonly read: ReadFolder
  /** How far the positions of accounts that may have lost something are raised. */
  readonly by: number
  /** Unix time in seconds. */
  readonly at: number
  readonly isAnyoneSuspect: boolean
  /** The number of the first line of the new journal; all files that are made hold what was written before it. */
  readonly write: number
}

/** Copies a file to the same path among those that are kept; one that is not there is not missed. */
const copyAside = async ({ folder, keptIn }: Work, file: string): Promise<void> => {
  const place = { path: join(keptIn, file), asideFolder: join(folder, 'unfinished'), files }
  await files.mkdir(dirname(place.path), { recursive: true, mode: 0o700 })
  await orIfMissing(copyDurable(join(folder, file), place), undefined)
}

/** Takes a file out of the data folder, to the same path among those that are kept. */
const moveAside = async (work: Work, file: string): Promise<void> => {
  await copyAside(work, file)
  await removeFile(files, join(work.folder, file))
}

/** True when it cannot be told which accounts lost writes, or went on at raised positions. */
const mayAnyoneMissWrites = async (folder: string, read: ReadFolder, now: number): Promise<boolean> => {
  const { format, journal, beyondJournal, beforeJournal, missingAccounts, registry, accounts } = read
  if (format === null)
    return describeFiles(read).some(({ file, state }) => file === 'format.json' && state === 'damaged')
  if (journal.segments.length === 0) return true
  if (beyondJournal !== undefined || beforeJournal !== undefined || missingAccounts.length > 0) return true
  const wayBack = await findWayBack({ folder, files, now: () => now }, format)
  // One that was not seen for a while is judged once more at the next start, by the same time.
  if (wayBack !== undefined && wayBack !== 'unseen') return true
  const lastUntold = Math.max(0, ...journal.damages.filter(({ keys }) => keys === undefined).map(({ last }) => last))
  return lastUntold > Math.min(registry.write, ...accounts.map(({ write }) => write))
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
  const salvaged = registry.found
    ? { document: registry.found.document, write: journal.lastFound }
    : salvageRegistry(await orIfMissing(files.readFile(join(folder, 'directory.json'), 'utf8'), ''))
  const document = await rebuildRegistry(salvaged, journal.read(registryKey, { after: 0 }))
  if ('errands' in salvaged) journal.errands.begin(salvaged.errands, salvaged.write)
  const errands = journal.errands.list()
  if (registry.damage !== undefined) await copyAside(work, 'directory.json')
  await writeRegistry(folder, files, { write, document, errands })
}

/** Gives the last write that the account's file holds then. */
const rewriteAccount = async (work: Work, account: ReadAccount): Promise<number> => {
  const { folder, write, isAnyoneSuspect } = work
  const { journal } = work.read
  const { userId, file, damage, found } = account
  const path = join(folder, file)
  if (found !== undefined && !account.isBehind && !isAnyoneSuspect) return account.write

  const key = encodeAccountKey(userId)
  const source = {
    key,
    path: journal.removals.has(key) ? undefined : path,
    upTo: found === undefined ? Number.POSITIVE_INFINITY : account.write,
    readLines: () => journal.read(key, { after: 0 }),
  }
  const rebuilt = await rebuildAccount(() => salvageAccount(source))
  // Of an account that had a file clients know positions, also where nothing of it can be read.
  const hadFile = () => work.read.inventory?.accounts.some(([name]) => name === basename(file)) === true
  if (rebuilt.isEmpty() && (found !== undefined || !hadFile())) {
    await moveAside(work, file)
    return 0
  }
  if (damage !== undefined) await copyAside(work, file)
  const position = Math.max(found?.position ?? 0, await rebuilt.findPosition())
  const by = position === found?.position && !isAnyoneSuspect ? 0 : work.by
  await makeFolder(files, dirname(path))
  const place = { path, asideFolder: join(folder, 'unfinished'), files }
  await writeAccountFile(place, userId, { position: position + by, write }, rebuilt.listSteps(position, by))
  return write
}
