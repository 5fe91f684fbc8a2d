import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { showAccountPath } from '../../disk/account-path.ts'
import { writeAccountFile } from '../../disk/account-writer.ts'
import { makeFolder, SyncFailed, writeDurable } from '../../disk/durable-json-file.ts'
import { isSystemError } from '../../disk/file-operations.ts'
import { findPlace, formatCopyName, writeFormat, writeUnfinishedFormat } from '../../disk/format-file.ts'
import type { KnownFile } from '../../disk/inventory.ts'
import { soleOwner } from '../../disk/ownership.ts'
import { chooseDistance } from '../../disk/raises.ts'
import { registryForm } from '../../disk/registry-file.ts'
import type { Change } from '../../record/change.ts'
import { decodeItem } from '../../record/decode-item.ts'
import type { AccountItem, StoreItem } from '../../record/store-item.ts'
import { encodeStep } from '../../record/write-steps.ts'
import type { App, AuthorizationCode, BrowserSession, Key, Link, Session, User } from '../../registry/registry.ts'
import type { Errand } from '../../store.ts'
import { createSegment } from '../../wal/segment-file.ts'
import { BackupRefused } from './backup-refused.ts'
import { raiseStep } from './raise-step.ts'

interface GatheredRegistry {
  readonly users: User[]
  readonly apps: App[]
  readonly sessions: Session[]
  readonly codes: AuthorizationCode[]
  readonly browserSessions: BrowserSession[]
  readonly links: Link[]
  readonly keys: Key[]
}

const putInRegistry = (registry: GatheredRegistry, item: StoreItem): void => {
  if ('user' in item) registry.users.push(item.user)
  if ('app' in item) registry.apps.push(item.app)
  if ('session' in item) registry.sessions.push(item.session)
  if ('code' in item) registry.codes.push(item.code)
  if ('browserSession' in item) registry.browserSessions.push(item.browserSession)
  if ('link' in item) registry.links.push(item.link)
  if ('key' in item) registry.keys.push(item.key)
}

/** An item of an account as the step that makes it; undefined for any other. */
const toStep = (item: StoreItem): Change | undefined => {
  if ('thing' in item) return { thing: item.thing }
  if ('tombstone' in item) return { tombstone: item.tombstone }
  if ('tag' in item) return { tag: item.tag }
  return 'record' in item ? { record: item.record } : undefined
}

const describe = (code: string | undefined): string =>
  code === 'ENOSPC' ? 'is on a full disk' : `cannot be written (${code})`

const made = ['unfinished', 'format.json', formatCopyName, 'journal', 'accounts', 'directory.json']

/** Where the items come from: a backup that was made at a time, or, as they are now, another store that ends with this. */
export type RestoreOptions = { readonly now: number } & ({ readonly createdAt: number } | { readonly isMove: true })

/**
 * Makes a folder without data a data folder with the items of a backup, at raised positions; of a store that is moved,
 * at their own. Until it is finished no
 * store opens the folder; when it fails nothing of it stays. `now` is Unix time in milliseconds, `createdAt`, when the
 * backup was made, in seconds.
 * @throws BackupRefused; what the lines throw
 */
export const restoreFolder = async (
  folder: string,
  lines: AsyncIterable<string>,
  { now, ...source }: RestoreOptions,
): Promise<void> => {
  try {
    const by = 'createdAt' in source ? chooseDistance(now, source.createdAt) : 0
    await writeFolder(folder, lines, { by, at: Math.floor(now / 1000) })
  } catch (error) {
    for (const name of made) await files.rm(join(folder, name), { recursive: true, force: true })
    const cause = error instanceof SyncFailed ? error.cause : error
    if (isSystemError(cause))
      throw new BackupRefused(`data folder: ${folder} ${describe(cause.code)}; nothing was restored`)
    throw error
  }
}

async function* putBefore(first: IteratorResult<string>, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (first.done === true) return
  yield first.value
  yield* rest
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

  const accounts: KnownFile[] = []
  const registry: GatheredRegistry = {
    users: [],
    apps: [],
    sessions: [],
    codes: [],
    browserSessions: [],
    links: [],
    keys: [],
  }
  const errands: Errand[] = []
  const items = lines[Symbol.asyncIterator]()
  let next: StoreItem | undefined
  const readNext = async (): Promise<void> => {
    const { done, value } = await items.next()
    next = done === true ? undefined : decodeItem(value)
  }

  async function* readSteps(userId: string, from: number): AsyncGenerator<string> {
    for (await readNext(); next !== undefined && !('account' in next); await readNext()) {
      putInRegistry(registry, next)
      if ('errand' in next) errands.push({ userId, ...next.errand })
      const step = toStep(next)
      if (step !== undefined) yield encodeStep(by === 0 ? step : raiseStep(step, from, by))
    }
  }

  const restoreAccount = async ({ account: userId, position }: AccountItem): Promise<void> => {
    const steps = readSteps(userId, position)
    // Without anything there is no file.
    const first = await steps.next()
    if (position === 0 && first.done === true) return
    const path = join(accountsFolder, showAccountPath(userId))
    await makeFolder(files, dirname(path))
    const head = { position: position + by, write: firstWrite }
    await writeAccountFile({ path, asideFolder, files }, userId, head, putBefore(first, steps))
    accounts.push([basename(path), firstWrite])
  }

  await readNext()
  while (next !== undefined) {
    if ('account' in next) {
      await restoreAccount(next)
      continue
    }
    putInRegistry(registry, next)
    await readNext()
  }
  const registryFile = { path: join(folder, 'directory.json'), asideFolder, form: registryForm, files }
  await writeDurable(registryFile, { write: firstWrite, document: registry, errands })
  const segmentPlace = { files, folder: journalFolder, asideFolder, ownership: soleOwner }
  await (await createSegment(segmentPlace, firstWrite)).close()
  // Accounts without a file are raised by this.
  const raises = by === 0 ? [] : [{ write: firstWrite, by }]
  const inventory = { at, first: firstWrite, outliers: [], write: firstWrite, accounts }
  await writeFormat(folder, files, { place: await findPlace(journalFolder, files), raises, inventory })
}
