import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type AccountDocument, isEmptyAccount } from '../account/account-document.ts'
import type { StoredRecord, StoredTag, Tombstone } from '../change.ts'
import type { App, AuthorizationCode, BrowserSession, Key, Link, Session, User } from '../directory.ts'
import { accountForm } from '../files/account-file.ts'
import { showAccountPath } from '../files/account-path.ts'
import { directoryForm } from '../files/directory-file.ts'
import { makeFolder, SyncFailed, writeDurable } from '../files/durable-json-file.ts'
import { isSystemError } from '../files/file-operations.ts'
import { findPlace, writeFormat, writeUnfinishedFormat } from '../files/format-file.ts'
import { soleOwner } from '../files/ownership.ts'
import { chooseDistance } from '../files/raises.ts'
import { createSegment } from '../journal/segment-file.ts'
import type { Errand, StoredThing } from '../store.ts'
import type { AccountItem, StoreItem } from '../store-item.ts'
import { BackupRefused } from './backup-refused.ts'
import { decodeItem } from './decode-item.ts'
import { raiseContent } from './raise-content.ts'

interface GatheredDirectory {
  readonly users: User[]
  readonly apps: App[]
  readonly sessions: Session[]
  readonly codes: AuthorizationCode[]
  readonly browserSessions: BrowserSession[]
  readonly links: Link[]
  readonly keys: Key[]
}

interface GatheredAccount {
  readonly userId: string
  readonly document: AccountDocument & {
    readonly things: StoredThing[]
    readonly tombstones: Tombstone[]
    readonly tags: StoredTag[]
    readonly records: StoredRecord[]
  }
}

const beginAccount = ({ account, position }: AccountItem): GatheredAccount => ({
  userId: account,
  document: { position, things: [], tombstones: [], tags: [], records: [] },
})

const putInDirectory = (directory: GatheredDirectory, item: StoreItem): void => {
  if ('user' in item) directory.users.push(item.user)
  if ('app' in item) directory.apps.push(item.app)
  if ('session' in item) directory.sessions.push(item.session)
  if ('code' in item) directory.codes.push(item.code)
  if ('browserSession' in item) directory.browserSessions.push(item.browserSession)
  if ('link' in item) directory.links.push(item.link)
  if ('key' in item) directory.keys.push(item.key)
}

const putInAccount = (account: GatheredAccount | undefined, item: StoreItem): void => {
  if ('thing' in item) account?.document.things.push(item.thing)
  if ('tombstone' in item) account?.document.tombstones.push(item.tombstone)
  if ('tag' in item) account?.document.tags.push(item.tag)
  if ('record' in item) account?.document.records.push(item.record)
}

const describe = (code: string | undefined): string =>
  code === 'ENOSPC' ? 'is on a full disk' : `cannot be written (${code})`

const made = ['unfinished', 'format.json', 'journal', 'accounts', 'directory.json']

/**
 * Makes a folder without data a data folder with the items of a backup, at raised positions. Until it is finished no
 * store opens the folder; when it fails nothing of it stays. `now` is Unix time in milliseconds, `createdAt`, when the
 * backup was made, in seconds.
 * @throws BackupRefused; what the lines throw
 */
export const restoreFolder = async (
  folder: string,
  lines: AsyncIterable<string>,
  { now, createdAt }: { readonly now: number; readonly createdAt: number },
): Promise<void> => {
  try {
    const by = chooseDistance(now, createdAt)
    await writeFolder(folder, lines, { by, at: Math.floor(now / 1000) })
  } catch (error) {
    for (const name of made) await files.rm(join(folder, name), { recursive: true, force: true })
    const cause = error instanceof SyncFailed ? error.cause : error
    if (isSystemError(cause))
      throw new BackupRefused(`data folder: ${folder} ${describe(cause.code)}; nothing was restored`)
    throw error
  }
}

/** The number of the first line of a journal. An account's file that names it holds what was raised at it. */
const firstWrite = 1

const writeFolder = async (
  folder: string,
  lines: AsyncIterable<string>,
  { by, at }: { readonly by: number; readonly at: number },
): Promise<void> => {
  const asideFolder = join(folder, 'unfinished')
  const journalFolder = join(folder, 'journal')
  const accountsFolder = join(folder, 'accounts')
  await makeFolder(files, asideFolder)
  await writeUnfinishedFormat(folder, files, 'restore')
  for (const path of [journalFolder, accountsFolder]) await makeFolder(files, path)

  const accounts: string[] = []
  const finishAccount = async (account: GatheredAccount | undefined): Promise<void> => {
    if (account === undefined || isEmptyAccount(account.document)) return
    const path = join(accountsFolder, showAccountPath(account.userId))
    await makeFolder(files, dirname(path))
    const file = { path, asideFolder, form: accountForm(account.userId), files }
    await writeDurable(file, { write: firstWrite, document: raiseContent(account.document, by) })
    accounts.push(basename(path))
  }

  const directory: GatheredDirectory = {
    users: [],
    apps: [],
    sessions: [],
    codes: [],
    browserSessions: [],
    links: [],
    keys: [],
  }
  const errands: Errand[] = []
  let account: GatheredAccount | undefined
  for await (const line of lines) {
    const item = decodeItem(line)
    if ('account' in item) {
      await finishAccount(account)
      account = beginAccount(item)
    }
    putInDirectory(directory, item)
    putInAccount(account, item)
    if ('errand' in item && account !== undefined) errands.push({ userId: account.userId, ...item.errand })
  }
  await finishAccount(account)
  const directoryFile = { path: join(folder, 'directory.json'), asideFolder, form: directoryForm, files }
  await writeDurable(directoryFile, { write: firstWrite, document: directory, errands })
  const segmentPlace = { files, folder: journalFolder, asideFolder, ownership: soleOwner }
  await (await createSegment(segmentPlace, firstWrite)).close()
  // Accounts without a file are raised by this.
  const raises = [{ write: firstWrite, by }]
  const inventory = { at, first: firstWrite, write: firstWrite, accounts }
  await writeFormat(folder, files, { place: await findPlace(journalFolder, files), raises, inventory })
}
