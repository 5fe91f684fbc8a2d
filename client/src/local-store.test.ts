import 'fake-indexeddb/auto'
import { expect, onTestFinished, test } from 'vitest'
import { localStoreContract } from '../../test/support/local-store-contract.ts'
import { createRandomId } from './environment.ts'
import { deleteIndexedDbStore, openDatabase, openIndexedDbStore } from './indexeddb.ts'
import { createMemoryLocalStore } from './local-store.ts'

localStoreContract('memory', async () => {
  const store = createMemoryLocalStore()
  return { store, reopen: async (open) => open }
})

const openStore = async (name = createRandomId()) => {
  const store = await openIndexedDbStore(name)
  onTestFinished(async () => {
    store.close()
    await deleteIndexedDbStore(name)
  })
  return { name, store }
}

localStoreContract('IndexedDB', async () => {
  const { name, store } = await openStore()
  let current = store
  const reopen = async () => {
    current.close()
    current = (await openStore(name)).store
    return current
  }
  return { store, reopen }
})

test('a write requires the browser to wait for the disk', async () => {
  const requested: unknown[] = []
  const { transaction } = IDBDatabase.prototype
  onTestFinished(() => {
    IDBDatabase.prototype.transaction = transaction
  })
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<typeof transaction>) {
    requested.push(args)
    return transaction.apply(this, args)
  }
  const { store } = await openStore()

  await store.write(new Map([['a', 1]]))

  expect(requested.at(-1)).toEqual(['entries', 'readwrite', { durability: 'strict' }])
})

test('no pack is so large that browsers store it in a separate file, with any letters', async () => {
  const { name, store } = await openStore()
  const entries = Array.from({ length: 300 }, (_, index) => [`${index}`, 'ж'.repeat(index * 10)] as const)

  await store.write(new Map(entries))

  store.close()
  const opening = indexedDB.open(name)
  await new Promise((resolve) => {
    opening.onsuccess = resolve
  })
  const reading = opening.result.transaction('packs').objectStore('packs').getAll()
  await new Promise((resolve) => {
    reading.onsuccess = resolve
  })
  opening.result.close()
  expect(reading.result.map((pack: Uint8Array) => pack.byteLength).filter((bytes) => bytes > 65_000)).toEqual([])
  const { store: reopened } = await openStore(name)
  expect(await reopened.getMany(['0', '299'])).toEqual(['', 'ж'.repeat(2_990)])
})

const many = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index): [string, number] => [`${prefix}${index}`, index])

/** Records the tables of every later transaction. */
const watchTables = (): string[] => {
  const tables: string[] = []
  const { transaction } = IDBDatabase.prototype
  onTestFinished(() => {
    IDBDatabase.prototype.transaction = transaction
  })
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<typeof transaction>) {
    tables.push(...(typeof args[0] === 'string' ? [args[0]] : args[0]))
    return transaction.apply(this, args)
  }
  return tables
}

test('a listing of one kind reads no packs of other kinds', async () => {
  const { name, store } = await openStore()
  await store.write(new Map(many('thing/', 3_000)))
  await store.write(new Map<string, unknown>([...many('tag/', 50), ...many('thing/new', 50)]))
  store.close()
  const { store: reopened } = await openStore(name)
  const list = async (prefix: string) => {
    const values = []
    for await (const [, value] of reopened.list(prefix)) values.push(value)
    return values
  }
  const tables = watchTables()

  expect(await list('queued/thing/')).toEqual([])
  expect(tables).not.toContain('packs')
  expect(await list('tag/')).toEqual(many('', 50).map(([, value]) => value))
  expect(tables.filter((table) => table === 'packs')).toHaveLength(1)
  expect(await list('thing/')).toHaveLength(3_050)
  expect(await list('t')).toHaveLength(3_100)
})

test('entries that are written again and again leave nothing behind', async () => {
  const { name, store } = await openStore()

  for (let time = 0; time < 30; time++) await store.write(new Map(many('thing/', 200)))

  store.close()
  const opening = indexedDB.open(name)
  await new Promise((resolve) => {
    opening.onsuccess = resolve
  })
  const counting = opening.result.transaction('packs').objectStore('packs').count()
  await new Promise((resolve) => {
    counting.onsuccess = resolve
  })
  opening.result.close()
  // Two packs are needed, and some dead ones wait to be removed together.
  expect(counting.result).toBeLessThan(40)
})

test('a tab can delete the store, and the tab that has it open gets an error', async () => {
  const { name, store } = await openStore()
  await store.write(new Map([['a', 1]]))

  await deleteIndexedDbStore(name)

  await expect(store.get('a')).rejects.toMatchObject({ name: 'ClientError', code: 'store_gone' })
  await expect(store.write(new Map([['a', 2]]))).rejects.toMatchObject({ code: 'store_gone' })
  const { store: reopened } = await openStore(name)
  expect(await reopened.get('a')).toBeUndefined()
})

test('a listing whose store is deleted meanwhile fails instead of being short', async () => {
  const { name, store } = await openStore()
  await store.write(new Map(Array.from({ length: 1_500 }, (_, index) => [`${index}`, index])))

  const list = async () => {
    for await (const [, index] of store.list('')) if (index === 0) await deleteIndexedDbStore(name)
  }

  await expect(list()).rejects.toMatchObject({ code: 'store_gone' })
})

test('a closed store throws an error that says so', async () => {
  const { store } = await openStore()

  store.close()
  store.close()

  await expect(store.get('a')).rejects.toMatchObject({ code: 'store_gone' })
})

/** Opens a database and does not close it for other programs. */
const holdDatabase = async (name: string, version: number): Promise<IDBDatabase> => {
  const opening = indexedDB.open(name, version)
  return await new Promise((resolve) => {
    opening.onsuccess = () => resolve(opening.result)
  })
}

test('a tab that keeps the store open blocks deletion and upgrade, which fail instead of waiting', async () => {
  const name = createRandomId()
  const held = await holdDatabase(name, 1)

  await expect(openDatabase(name, 2, () => undefined)).rejects.toMatchObject({ code: 'store_blocked' })
  held.close()
  const heldAgain = await holdDatabase(name, 2)
  await expect(deleteIndexedDbStore(name)).rejects.toMatchObject({ code: 'store_blocked' })

  heldAgain.close()
  await deleteIndexedDbStore(name)
})

test('a store of a newer program is not touched', async () => {
  const name = createRandomId()
  const held = await holdDatabase(name, 2)
  held.close()

  await expect(openIndexedDbStore(name)).rejects.toMatchObject({ code: 'store_newer' })
})

/** Replaces a property of the browser for one test. */
const replaceIndexedDb = (property: PropertyDescriptor) => {
  const known = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB') as PropertyDescriptor
  onTestFinished(() => {
    Object.defineProperty(globalThis, 'indexedDB', known)
  })
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, ...property })
}

const throwing = (name: string) => () => {
  throw new DOMException('not here', name)
}

test.each([
  ['there is none', { value: undefined }],
  ['asking for it is forbidden', { get: throwing('SecurityError') }],
  ['opening is forbidden', { value: { open: throwing('SecurityError'), deleteDatabase: throwing('SecurityError') } }],
  [
    'a private window',
    { value: { open: throwing('InvalidStateError'), deleteDatabase: throwing('InvalidStateError') } },
  ],
])('where IndexedDB is not to be had (%s) it says so', async (_, property) => {
  replaceIndexedDb(property)

  const forbidden = { name: 'ClientError', code: 'store_forbidden' }
  await expect(openIndexedDbStore('any')).rejects.toMatchObject(forbidden)
  await expect(deleteIndexedDbStore('any')).rejects.toMatchObject(forbidden)
})
