import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { locateAccount } from '../../disk/account-path.ts'
import { writeAccountFile } from '../../disk/account-writer.ts'
import { makeFolder, SyncFailed } from '../../disk/durable-json-file.ts'
import { isSystemError } from '../../disk/file-operations.ts'
import { findPlace, formatCopyName, writeFormat, writeUnfinishedFormat } from '../../disk/format-file.ts'
import type { KnownFile } from '../../disk/inventory.ts'
import { soleOwner } from '../../disk/ownership.ts'
import { chooseDistance, raiseStep } from '../../disk/raises.ts'
import { writeRegistry } from '../../disk/registry-file.ts'
import type { Change } from '../../record/change.ts'
import { type AccountItem, type StoreItem, takeRegistryItem } from '../../record/store-item.ts'
import { encodeStep } from '../../record/write-steps.ts'
import type { RegistryItems, RegistryKind } from '../../registry/registry.ts'
import { mapKinds } from '../../registry/registry-state.ts'
import type { Errand } from '../../store.ts'
import { createSegment } from '../../wal/segment-file.ts'
import { BackupRefused } from './backup-refused.ts'
import { createRegistryMeter, decodeItem } from './decode-item.ts'

type RegistryLists = { readonly [Kind in RegistryKind]: RegistryItems[Kind][] }

const putInRegistry = (registry: RegistryLists, item: StoreItem) =>
  takeRegistryItem(item, (kind, value) => registry[kind].push(value))

/** An item of an account as the step that makes it; undefined for any other. */
const toStep = (item: StoreItem): Change | undefined =>
  'thing' in item || 'tombstone' in item || 'tag' in item || 'record' in item ? item : undefined

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
  const registry = mapKinds<RegistryLists>(() => [])
  const errands: Errand[] = []
  const meter = createRegistryMeter()
  const items = lines[Symbol.asyncIterator]()
  const readNext = async (): Promise<StoreItem | undefined> => {
    const { done, value } = await items.next()
    if (done === true) return undefined
    meter(value)
    return decodeItem(value)
  }
  let next = await readNext()

  async function* readSteps(userId: string, from: number): AsyncGenerator<string> {
    for (; next !== undefined && !('account' in next); next = await readNext()) {
      putInRegistry(registry, next)
      if ('errand' in next) errands.push({ userId, ...next.errand })
      const step = toStep(next)
      if (step !== undefined) yield encodeStep(by === 0 ? step : raiseStep(step, from, by))
    }
  }

  for (; next !== undefined && !('account' in next); next = await readNext()) putInRegistry(registry, next)
  while (next !== undefined && 'account' in next) {
    const { account: userId, position }: AccountItem = next
    next = await readNext()
    // Without anything there is no file.
    if (position === 0 && (next === undefined || 'account' in next)) continue
    const path = join(accountsFolder, locateAccount(userId))
    await makeFolder(files, dirname(path))
    const head = { position: position + by, write: firstWrite }
    await writeAccountFile({ path, asideFolder, files }, userId, head, readSteps(userId, position))
    accounts.push([basename(path), firstWrite])
  }
  await writeRegistry(folder, files, { write: firstWrite, document: registry, errands })
  const segmentPlace = { files, folder: journalFolder, asideFolder, ownership: soleOwner }
  await (await createSegment(segmentPlace, firstWrite)).close()
  // Accounts without a file are raised by this.
  const raises = by === 0 ? [] : [{ write: firstWrite, by }]
  const inventory = { at, first: firstWrite, outliers: [], write: firstWrite, accounts }
  await writeFormat(folder, files, { place: await findPlace(journalFolder, files), raises, inventory })
}
