import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { hidePassword, isDatabaseUrl } from '../config/store-place.ts'
import { requireFolder } from '../folder/make-folder.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import { encodeItem, type StoreItem } from '../store/record/store-item.ts'
import type { Store } from '../store/store.ts'
import { restoreFolder } from '../store/tools/backup/restore-folder.ts'
import { thingForm } from '../things/thing-form.ts'
import { systemWorld } from '../world.ts'
import { createItemCheck } from './check-items.ts'
import { fillEmptyFolder } from './empty-folder.ts'
import { type FolderSettings, useDatabase, useHere } from './run-on-folder.ts'

/** What was copied: how many items of each kind, and a sum over all of them, whatever their order. */
export interface CopySum {
  readonly counts: Readonly<Record<string, number>>
  readonly sum: string
}

const modulus = 1n << 256n

/** Stores give the same item with its keys in orders of their own. */
const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** Sums up items as they pass. Orders that stores keep differently do not count; whose account an item is in does. */
const createSum = () => {
  const counts = new Map<string, number>()
  let total = 0n
  let account = ''
  return {
    add: (item: StoreItem): void => {
      const kind = Object.keys(item)[0] ?? ''
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      if ('account' in item) account = item.account
      const text = JSON.stringify([account, item], sortKeys)
      total = (total + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)) % modulus
    },
    read: (): CopySum => ({ counts: Object.fromEntries([...counts].sort()), sum: total.toString(16) }),
  }
}

const settingsOf = (place: string): FolderSettings => ({
  ...(isDatabaseUrl(place) ? { store: place, data: '' } : { store: 'json', data: resolve(place) }),
  ...{ baseUrl: undefined, host: '127.0.0.1', port: 0 },
})

/** Opens a place that nobody else works on. @throws CommandFailed, StoreFailed, FolderRefused */
const useAlone = async <T>(place: string, use: (store: Store) => Promise<T>): Promise<T> => {
  const settings = settingsOf(place)
  if (isDatabaseUrl(place)) {
    const { requireUnused } = await import('../store/postgres/copy-into.ts')
    await requireUnused(place)
    return useDatabase(settings, use)
  }
  await requireFolder(settings.data)
  const used = await useHere(settings, async (store) => ({ result: await use(store) }))
  if (used === undefined) throw new CommandFailed(`data folder ${settings.data} is in use; stop its server first`)
  return used.result
}

async function* toLines(items: AsyncIterable<StoreItem>): AsyncGenerator<string> {
  for await (const item of items) yield encodeItem(item)
}

const fill = async (place: string, items: AsyncIterable<StoreItem>): Promise<void> => {
  if (isDatabaseUrl(place)) {
    const [{ withDatabase }, { migrate }, { copyInto }] = await Promise.all([
      import('../store/postgres/open-postgres.ts'),
      import('../store/postgres/migrate.ts'),
      import('../store/postgres/copy-into.ts'),
    ])
    await withDatabase(place, (connection) => migrate(connection))
    return copyInto(place, items, thingForm)
  }
  const { data } = settingsOf(place)
  return fillEmptyFolder(data, 'name a new one', () =>
    restoreFolder(data, toLines(items), { now: systemWorld.now(), isMove: true }),
  )
}

/** Checks everything in a store, as a restore does. @throws CommandFailed with what is wrong, and of whose account */
const checkStore = async (place: string, store: Store): Promise<void> => {
  const check = createItemCheck()
  let account: string | undefined
  const refuse = (wrong: string | undefined): void => {
    if (wrong === undefined) return
    const where = account === undefined ? '' : `, account ${JSON.stringify(account.slice(0, 200))}`
    throw new CommandFailed(
      `${isDatabaseUrl(place) ? hidePassword(place) : place}${where}: ${wrong}; correct this there first; nothing was copied`,
    )
  }
  for await (const item of store.listItems()) {
    if ('account' in item) account = item.account
    refuse(check.take(item))
  }
  account = undefined
  refuse(check.end())
}

/**
 * Copies everything from one place to another, empty one, at the positions that clients know, and compares both.
 * `onProgress` is told how many items have been copied.
 * @throws CommandFailed when the copy is not the same; StoreFailed, FolderRefused when a place cannot be used
 */
export async function runCopy(from: string, to: string, onProgress: (items: number) => void): Promise<CopySum> {
  const sent = createSum()
  let count = 0
  await useAlone(from, async (store) => {
    async function* summed(): AsyncGenerator<StoreItem> {
      for await (const item of store.listItems()) {
        sent.add(item)
        yield item
        count += 1
        onProgress(count)
      }
    }
    // Before the other place is touched.
    await checkStore(from, store)
    await fill(to, summed())
  })
  const kept = createSum()
  await useAlone(to, async (store) => {
    for await (const item of store.listItems()) kept.add(item)
  })
  const [one, other] = [sent.read(), kept.read()]
  if (JSON.stringify(one) !== JSON.stringify(other))
    throw new CommandFailed(
      `the copy is not the same: ${JSON.stringify(one.counts)} were copied, ${JSON.stringify(other.counts)} are there`,
    )
  return one
}
