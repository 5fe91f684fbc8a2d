import * as files from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isEmptyAccount } from '../account-document.ts'
import { accountForm } from '../account-file.ts'
import { raisePositions } from '../backup/raise-positions.ts'
import { writeFormat, writeUnfinishedFormat } from '../data-format.ts'
import { directoryForm } from '../directory-file.ts'
import { makeFolder, removeFile, syncFolder, writeDurable } from '../durable-json-file.ts'
import { isSystemError } from '../file-operations.ts'
import { describeFiles } from '../inspect/describe-files.ts'
import type { FoundFile } from '../inspect/found-file.ts'
import { inspectAccount } from '../inspect/inspect-snapshots.ts'
import { type ReadAccount, type ReadFolder, readFolder } from '../inspect/read-folder.ts'
import { createSegment } from '../journal/segment-file.ts'
import { directoryKey, showAccountKey } from '../load-kept.ts'
import { listChanges, rebuildAccount, salvageAccount } from './salvage-account.ts'
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
 * @throws the system's error, SyncFailed; the repair can be run again then
 */
export const repairFolder = async (folder: string, stamp: string): Promise<Repair> => {
  const read = await readFolder(folder)
  const damaged = describeFiles(read).filter(({ state }) => state === 'damaged')
  if (damaged.length === 0) return { damaged, keptIn: undefined }

  const keptIn = join(folder, `repaired-${stamp}`)
  await makeFolder(files, keptIn)
  await makeFolder(files, join(folder, 'unfinished'))
  const work = { folder, keptIn, read }
  await keepAside(work, 'format.json')
  await writeUnfinishedFormat({ folder, files }, 'repair')
  await rewrite(work)
  return { damaged, keptIn }
}

interface Work {
  readonly folder: string
  readonly keptIn: string
  readonly read: ReadFolder
}

const rewrite = async (work: Work): Promise<void> => {
  const { folder, keptIn, read } = work
  const { journal, directory, accounts } = read
  const write = Math.max(journal.lastWrite, directory.write, ...accounts.map((account) => account.write))
  await rewriteDirectory(work, write)
  for (const account of accounts) await rewriteAccount(work, account, write)
  for (const { file } of describeFiles(read).filter(({ says }) => says === 'whose account it is cannot be told'))
    await moveAside(work, file)

  const journalFolder = join(folder, 'journal')
  if (journal.segments.length > 0) await files.rename(journalFolder, join(keptIn, 'journal'))
  await syncFolder(files, keptIn)
  await makeFolder(files, journalFolder)
  await (await createSegment(files, journalFolder, write + 1)).close()
  await writeFormat({ folder, files })
}

/** Copies a file to the same path among those that are kept; one that is not there is not missed. */
const keepAside = async ({ folder, keptIn }: Work, file: string): Promise<void> => {
  const copy = join(keptIn, file)
  await files.mkdir(dirname(copy), { recursive: true, mode: 0o700 })
  try {
    await files.copyFile(join(folder, file), copy)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return
    throw error
  }
  const handle = await files.open(copy, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(files, dirname(copy))
}

const moveAside = async (work: Work, file: string): Promise<void> => {
  await keepAside(work, file)
  await removeFile(files, join(work.folder, file))
}

const rewriteDirectory = async (work: Work, write: number): Promise<void> => {
  const { folder, read } = work
  const { directory, journal } = read
  const path = join(folder, 'directory.json')
  const text = await readText(path)
  const salvaged = directory.kept
    ? { document: directory.kept.document, write: journal.lastWrite }
    : salvageDirectory(text)
  const document = rebuildDirectory(salvaged, await journal.readWrites(directoryKey))
  if (directory.damage !== undefined) await keepAside(work, 'directory.json')
  await writeDurable({ path, asideFolder: join(folder, 'unfinished'), form: directoryForm, files }, { write, document })
}

const rewriteAccount = async (work: Work, account: ReadAccount, write: number): Promise<void> => {
  const { folder, read } = work
  const { userId, file, damage } = account
  const { kept, journalDamage } = await inspectAccount(folder, userId, read.journal)
  const isSuspect =
    damage !== undefined ||
    journalDamage !== undefined ||
    read.beyondJournal !== undefined ||
    (read.journal.segments.length === 0 && read.format !== 'missing') ||
    read.journal.lastUntold > account.write
  if (kept !== undefined && kept.writes.length === 0 && !isSuspect) return

  const path = join(folder, file)
  const salvaged = kept
    ? { position: kept.document.position, changes: listChanges(kept.document), write: account.write }
    : salvageAccount(await readText(path))
  const rebuilt = rebuildAccount(salvaged, await read.journal.readWrites(showAccountKey(userId)))
  if (isEmptyAccount(rebuilt)) return moveAside(work, file)
  if (damage !== undefined) await keepAside(work, file)
  const document = isSuspect ? raisePositions(rebuilt) : rebuilt
  await makeFolder(files, dirname(path))
  const form = accountForm(userId)
  await writeDurable({ path, asideFolder: join(folder, 'unfinished'), form, files }, { write, document })
}
