import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { runWhole } from '../../../slices.ts'
import { encodeLine, type JournalLine } from '../../record/journal-line.ts'
import { DamagedFile } from '../../record/sealed-json.ts'
import { parseSteps } from '../../record/take-steps.ts'
import { encodeStep } from '../../record/write-steps.ts'
import type { StoreLog } from '../../store-log.ts'
import { listFirstWrites, locateSegment } from '../../wal/segment-file.ts'
import { accountEnding } from '../account-path.ts'
import { writeAccountFile } from '../account-writer.ts'
import { copyDurable, makeFolder, makeFolders, replaceFile, syncFolder } from '../durable-json-file.ts'
import { readFileLines } from '../file-lines.ts'
import { type FileOperations, openFile, withHandle } from '../file-operations.ts'
import { formatCopyName } from '../format-file.ts'
import type { KnownFile } from '../inventory.ts'
import { listNames } from '../missing-files.ts'
import { openOldAccount } from './old-account.ts'

/** A data folder of an earlier version, and the name that the copy of it gets in it. */
export interface OldFolder {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  readonly copyName: string
}

/** Where everything is made anew; under the second name it is whole, and only has to be put in its place. */
const [unfinished, finished] = ['new-version.unfinished', 'new-version']

/** What the name of an account's file ended in. */
export const oldEnding = '.json'
const moved = ['accounts', 'journal']
const copied = ['format.json', formatCopyName, 'directory.json']

const convertLine = (line: Buffer, head: JournalLine): readonly Buffer[] | undefined => {
  const changes = parseSteps(line)
  // What is no list of steps stays as it is, and is named when somebody asks for its account.
  if (changes === undefined || changes.length === 0) return undefined
  return runWhole(encodeLine(head, [Buffer.from(`[${changes.map(encodeStep).join(',')}]`)]))
}

/** The lines of a journal's file with the steps of accounts as they are today; what is damaged stays so. */
async function* convertLines(handle: FileHandle): AsyncGenerator<Buffer> {
  for await (const lines of readFileLines(handle, (await handle.stat()).size))
    yield Buffer.concat(
      Array.from(lines).flatMap(({ bytes, whole, line }) => (line && convertLine(bytes, line)) ?? [whole]),
    )
}

const convertAccount = async ({ folder, files, log }: OldFolder, from: string, to: string): Promise<void> => {
  const place = { path: to, asideFolder: join(folder, 'unfinished'), files }
  try {
    const { userId, position, write, readSteps } = await openOldAccount(from)
    await writeAccountFile(place, userId, { position, write }, readSteps())
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    // Under the new name it is damaged still, and a repair takes from it what can be read.
    log.error({ file: from, reason: error.message }, `${from} is damaged: ${error.message}; its account is not served`)
    await copyDurable(from, place)
  }
}

const convertAccounts = async (old: OldFolder, target: string): Promise<void> => {
  const { folder, files } = old
  await makeFolder(files, join(target, 'accounts'))
  for (const name of await listNames(files, join(folder, 'accounts'))) {
    await makeFolder(files, join(target, 'accounts', name))
    for (const file of await listNames(files, join(folder, 'accounts', name))) {
      if (!file.endsWith(oldEnding)) continue
      const newName = `${file.slice(0, -oldEnding.length)}${accountEnding}`
      await convertAccount(old, join(folder, 'accounts', name, file), join(target, 'accounts', name, newName))
    }
  }
}

const build = async (old: OldFolder, names: readonly string[]): Promise<void> => {
  const { folder, files } = old
  const target = join(folder, unfinished)
  if (names.includes(unfinished)) await files.rm(target, { recursive: true, force: true })
  const asideFolder = join(folder, 'unfinished')
  await makeFolders(files, asideFolder)
  await makeFolder(files, target)
  const copy = join(target, 'copy')
  await makeFolder(files, copy)
  for (const name of copied)
    if (names.includes(name)) await copyDurable(join(folder, name), { path: join(copy, name), asideFolder, files })
  await convertAccounts(old, target)
  if (names.includes('journal')) {
    const journal = join(folder, 'journal')
    const newJournal = join(target, 'journal')
    await makeFolder(files, newJournal)
    for (const first of await listFirstWrites(files, journal))
      await withHandle(openFile(files, locateSegment(journal, first)), (handle) =>
        replaceFile({ path: locateSegment(newJournal, first), asideFolder, files }, convertLines(handle)),
      )
  }
  await syncFolder(files, target)
  await files.rename(target, join(folder, finished))
  await syncFolder(files, folder)
}

/** Puts in its place what was made anew; each step is found done when a crash came behind it. */
const move = async ({ folder, files, copyName }: OldFolder): Promise<void> => {
  const copy = join(folder, copyName)
  const rename = async (from: string, to: string): Promise<void> => {
    await files.rename(from, to)
    await syncFolder(files, dirname(to))
    if (dirname(from) !== dirname(to)) await syncFolder(files, dirname(from))
  }
  if ((await listNames(files, join(folder, finished))).includes('copy'))
    await rename(join(folder, finished, 'copy'), copy)
  for (const name of moved) {
    if (!(await listNames(files, join(folder, finished))).includes(name)) continue
    const isOldHere = (await listNames(files, folder)).includes(name)
    if (isOldHere && !(await listNames(files, copy)).includes(name)) await rename(join(folder, name), join(copy, name))
    await rename(join(folder, finished, name), join(folder, name))
  }
}

/**
 * Makes the files of a data folder of an earlier version those of this one. All that it held stays in a folder in it. A
 * crash costs nothing: everything is made anew beside the old files, and then moved, step by step. It is over when
 * `format.json` is written and `finishMigration` was called.
 * @throws SyncFailed, the system's error
 */
export const migrateFolder = async (old: OldFolder): Promise<void> => {
  const { folder, files, log, copyName } = old
  const names = await listNames(files, folder)
  if (!names.includes(finished)) {
    await build(old, names)
    const copy = join(folder, copyName)
    log.warn({ folder, copy }, `${folder} is brought to a newer format; all that it held is kept in ${copy}`)
  }
  await move(old)
}

/** True when the files of a folder were made anew and are being put in their places. */
export const isHalfMoved = (names: readonly string[]): boolean => names.includes(finished)

/** To be called when `format.json` says that the folder is of this version. */
export const finishMigration = async (folder: string, files: FileOperations): Promise<void> => {
  await files.rm(join(folder, finished), { recursive: true, force: true })
  await syncFolder(files, folder)
}

/** The accounts' files by their new names. */
export const renameKnown = (accounts: readonly KnownFile[]): readonly KnownFile[] =>
  accounts.map(([name, write]) => [`${basename(name, oldEnding)}${accountEnding}`, write])
