import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isEmptyAccount } from '../account/account-document.ts'
import { raiseContent } from '../backup/raise-content.ts'
import { accountForm } from '../files/account-file.ts'
import { directoryForm } from '../files/directory-file.ts'
import { makeFolder, syncFolder, writeDurable } from '../files/durable-json-file.ts'
import { isSystemError } from '../files/file-operations.ts'
import { findPlace, writeFormat, writeUnfinishedFormat } from '../files/format-file.ts'
import { listAccountFiles } from '../files/missing-files.ts'
import { soleOwner } from '../files/ownership.ts'
import { chooseDistance } from '../files/raises.ts'
import { describeFiles, ownerUnknown } from '../inspect/describe-files.ts'
import type { FoundFile } from '../inspect/found-file.ts'
import { inspectAccount } from '../inspect/inspect-snapshots.ts'
import { findRaises, type ReadAccount, type ReadFolder, readFolder } from '../inspect/read-folder.ts'
import { directoryKey, showAccountKey } from '../journal/journal-keys.ts'
import { createSegment } from '../journal/segment-file.ts'
import { type Kept, keepAside, moveAside } from './keep-aside.ts'
import { listKept, rebuildAccount, salvageAccount } from './salvage-account.ts'
import { rebuildDirectory, salvageDirectory } from './salvage-directory.ts'

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
 * @throws the system's error, SyncFailed; the repair can be run again then
 */
export const repairFolder = async (folder: string, now: number): Promise<Repair> => {
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
    at: Math.floor(now / 1000),
    isAnyoneSuspect: await mayAnyoneMissWrites(folder, read),
    write: Math.max(read.journal.lastFound, read.directory.write, ...read.accounts.map(({ write }) => write)) + 1,
  }
  await keepAside(work, 'format.json')
  await writeUnfinishedFormat(folder, files, 'repair')
  await rewrite(work)
  return { damaged, keptIn }
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
const mayAnyoneMissWrites = async (folder: string, read: ReadFolder): Promise<boolean> => {
  const { format, journal, beyondJournal, beforeJournal, missingAccounts, directory, accounts } = read
  if (format === null)
    return describeFiles(read).some(({ file, state }) => file === 'format.json' && state === 'damaged')
  if ('damage' in format || journal.segments.length === 0) return true
  if (beyondJournal !== undefined || beforeJournal !== undefined || missingAccounts.length > 0) return true
  if (format.place !== (await findPlace(join(folder, 'journal'), files))) return true
  return journal.lastUntold > Math.min(directory.write, ...accounts.map(({ write }) => write))
}

const rewrite = async (work: Work): Promise<void> => {
  const { folder, keptIn, read, by, at, write, isAnyoneSuspect } = work
  await rewriteDirectory(work)
  for (const account of read.accounts) await rewriteAccount(work, account)
  for (const { file, says } of describeFiles(read)) if (says === ownerUnknown) await moveAside(work, file)

  const journalFolder = join(folder, 'journal')
  if (read.journal.segments.length > 0) await files.rename(journalFolder, join(keptIn, 'journal'))
  await syncFolder(files, keptIn)
  await makeFolder(files, journalFolder)
  const asideFolder = join(folder, 'unfinished')
  await (await createSegment({ files, folder: journalFolder, asideFolder, ownership: soleOwner }, write)).close()
  const raises = [...findRaises(read.format), ...(isAnyoneSuspect ? [{ write, by }] : [])]
  const accounts = (await listAccountFiles(files, folder)).map((path) => basename(path))
  const inventory = { at, first: write, write, accounts }
  await writeFormat(folder, files, { place: await findPlace(journalFolder, files), raises, inventory })
}

const rewriteDirectory = async (work: Work): Promise<void> => {
  const { folder, read, write } = work
  const { directory, journal } = read
  const path = join(folder, 'directory.json')
  const salvaged = directory.kept
    ? { document: directory.kept.document, write: journal.lastFound }
    : salvageDirectory(await readText(path))
  const document = rebuildDirectory(salvaged, await journal.readWrites(directoryKey))
  if ('errands' in salvaged) journal.errands.begin(salvaged.errands, salvaged.write)
  const errands = journal.errands.list()
  if (directory.damage !== undefined) await keepAside(work, 'directory.json')
  await writeDurable(
    { path, asideFolder: join(folder, 'unfinished'), form: directoryForm, files },
    { write, document, errands },
  )
}

const rewriteAccount = async (work: Work, { userId, file }: ReadAccount): Promise<void> => {
  const { folder, read, by, write, isAnyoneSuspect } = work
  const { journal } = read
  const path = join(folder, file)
  const inspected = await inspectAccount(folder, userId, { journal, raises: findRaises(read.format) })
  const { kept, damage } = inspected
  if (kept !== undefined && kept.writes.length === 0 && !isAnyoneSuspect) return

  const known = kept ? listKept(kept, inspected.write) : salvageAccount(await readText(path))
  const rebuilt = rebuildAccount(known, await journal.readWrites(showAccountKey(userId)))
  if (isEmptyAccount(rebuilt)) return moveAside(work, file)
  if (damage !== undefined) await keepAside(work, file)
  const document = kept !== undefined && !isAnyoneSuspect ? rebuilt : raiseContent(rebuilt, by)
  await makeFolder(files, dirname(path))
  const form = accountForm(userId)
  await writeDurable({ path, asideFolder: join(folder, 'unfinished'), form, files }, { write, document })
}
