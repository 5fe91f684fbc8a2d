import { expect, test } from 'vitest'
import { ClientError, createMemoryLocalStore, type LocalStore } from '../../client/src/index.ts'
import { type DraftStorage, type Drafts, openDrafts } from './drafts.ts'

const openStorage = (limit = Number.POSITIVE_INFINITY, texts = new Map<string, string>()): DraftStorage => ({
  getItem: (key) => texts.get(key) ?? null,
  setItem: (key, text) => {
    if (text.length > limit) throw new DOMException('full', 'QuotaExceededError')
    texts.set(key, text)
  },
  removeItem: (key) => void texts.delete(key),
  key: (index) => [...texts.keys()][index] ?? null,
  get length() {
    return texts.size
  },
})

interface DraftStores {
  readonly storage?: DraftStorage | undefined
  readonly store?: LocalStore
}
const open = (
  { storage, store = createMemoryLocalStore() }: DraftStores,
  account = 'anna',
  now = () => 5,
): Promise<Drafts> => openDrafts({ storage, store, account, now })

/** Types these texts in one visit; storage and store have all of them at its end. */
const visit = async (stores: DraftStores, ...texts: readonly string[]): Promise<void> => {
  const drafts = await open(stores)
  for (const text of texts) drafts.open('add').write(text)
  await drafts.close()
}
const read = async (stores: DraftStores): Promise<string> => {
  const drafts = await open(stores)
  await drafts.close()
  return drafts.open('add').read()
}
const listKeys = (storage: DraftStorage) => Array.from({ length: storage.length }, (_, index) => storage.key(index))
const listStore = async (store: LocalStore) => {
  const all = []
  for await (const entry of store.list('')) all.push(entry)
  return all
}

test('a draft is restored for its account, and for no other', async () => {
  const storage = openStorage()
  const drafts = await open({ storage })

  expect(drafts.open('add').write('Milk #home')).toBe(true)

  expect((await open({ storage })).open('add').read()).toBe('Milk #home')
  expect((await open({ storage }, 'ben')).open('add').read()).toBe('')
  drafts.open('add').write('')
  expect((await open({ storage })).open('add').read()).toBe('')
})

test('the latest text is restored, even if the storage or the store missed it', async () => {
  const [early, late] = [openStorage(), openStorage()]
  const [earlyStore, lateStore] = [createMemoryLocalStore(), createMemoryLocalStore()]
  await visit({ storage: early, store: earlyStore }, 'A')
  await visit({ storage: late, store: lateStore }, 'A', 'AB', 'ABC')

  expect(await read({ storage: early, store: lateStore })).toBe('ABC')
  expect(await read({ storage: late, store: earlyStore })).toBe('ABC')
  expect(await read({ storage: undefined, store: lateStore })).toBe('ABC')
})

test('a removed draft does not come back from an older copy, and both copies disappear', async () => {
  const [storage, store] = [openStorage(), createMemoryLocalStore()]
  const [typed, typedStore] = [openStorage(), createMemoryLocalStore()]
  for (const stores of [
    { storage, store },
    { storage: typed, store: typedStore },
  ])
    await visit(stores, 'A')
  await visit({ storage, store }, '')

  for (const stores of [
    { storage, store: typedStore },
    { storage: typed, store },
  ]) {
    expect([await read(stores), await read(stores), await read(stores), await read(stores)]).toEqual(['', '', '', ''])
    expect([listKeys(stores.storage), await listStore(stores.store)]).toEqual([[], []])
  }
})

test('a clock that is set back does not restore an older text', async () => {
  const [storage, store] = [openStorage(), createMemoryLocalStore()]
  await visit({ storage, store }, 'A')
  const drafts = await open({ storage: openStorage(), store }, 'anna', () => 1)

  drafts.open('add').write('AB')
  await drafts.close()

  expect(await read({ storage, store })).toBe('AB')
})

test('forget removes all drafts of the account, and no others', async () => {
  const [storage, store] = [openStorage(), createMemoryLocalStore()]
  const anna = await open({ storage, store })
  for (const name of ['add', 'edit/1']) anna.open(name).write('typed')
  for (const account of ['anna-lena', 'ben']) (await open({ storage }, account)).open('add').write('typed')
  storage.setItem('thingsync choice/language', 'de')

  anna.forget()
  await anna.close()

  expect(anna.open('add').read()).toBe('')
  expect(await listStore(store)).toEqual([])
  expect(listKeys(storage)).toEqual([
    'thingsync draft/anna-lena/add',
    'thingsync draft/ben/add',
    'thingsync choice/language',
  ])
})

test('write returns false for a full or forbidden storage, and throws any other error', async () => {
  const broken = () => {
    throw new Error('broken')
  }
  const small = await open({ storage: openStorage(5) })

  expect(small.open('add').write('long text')).toBe(false)
  expect(small.open('add').write('')).toBe(true)
  expect((await open({ storage: undefined })).open('add').write('text')).toBe(false)
  const faulty = await open({ storage: { ...openStorage(), setItem: broken } })
  expect(() => faulty.open('add').write('x')).toThrow('broken')
})

test('a full store leaves the drafts to the storage', async () => {
  const full = async () => {
    throw new ClientError('store_full', 'full')
  }
  const storage = openStorage()

  await visit({ storage, store: { ...createMemoryLocalStore(), write: full } }, 'A', 'AB')

  expect(await read({ storage })).toBe('AB')
})
