import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LocalStore } from '../../client/src/local-store.ts'

/** What a test does with a store: open one, and open the same one again, as the next program does. */
export interface StoreFixture {
  readonly store: LocalStore
  /** Opens a store again with the same entries; the store that was open is not used after. */
  readonly reopen: (current: LocalStore) => Promise<LocalStore>
}

const listAll = async (store: LocalStore, prefix: string) => {
  const entries = []
  for await (const entry of store.list(prefix)) entries.push(entry)
  return entries.sort(([one], [other]) => (one < other ? -1 : 1))
}

/** The promises of `LocalStore`, for one kind of store; `open` gives an empty one. */
export const localStoreContract = (kind: string, open: () => Promise<StoreFixture>): void => {
  test(`${kind}: what was written last is read, and what was removed is not there`, async () => {
    const { store } = await open()

    await store.write(
      new Map<string, unknown>([
        ['a', 1],
        ['b', { title: 'ключ', list: [null, 'x', 1.5, false] }],
      ]),
    )
    await store.write(
      new Map<string, unknown>([
        ['a', undefined],
        ['b', 'again'],
        ['never', undefined],
      ]),
    )

    expect(await store.get('a')).toBeUndefined()
    expect(await store.get('b')).toBe('again')
    expect(await store.get('never')).toBeUndefined()
    expect(await listAll(store, '')).toEqual([['b', 'again']])
  })

  test(`${kind}: a value is kept as it was when it was written`, async () => {
    const { store } = await open()
    const value = { title: 'as written', tags: ['home'] }

    await store.write(new Map([['a', value]]))
    value.tags.push('later')
    const read = (await store.get('a')) as typeof value
    read.title = 'changed by the reader'

    expect(await store.get('a')).toEqual({ title: 'as written', tags: ['home'] })
  })

  test(`${kind}: a listing gives exactly the keys with the prefix, whatever is in them`, async () => {
    const { store } = await open()
    const keys = [
      'thing/',
      'thing/a',
      'thing/\uffff',
      'thing/\uffff\uffffz',
      'thing/__proto__',
      'thing/ключ',
      'thing/\0',
    ]
    const others = ['thing', 'thing0', 'thinG/a', '', 'thinh', '\uffff', '\uffffa']

    await store.write(new Map([...keys, ...others].map((key) => [key, key])))

    const sorted = (some: string[]) => some.sort((one, other) => (one < other ? -1 : 1)).map((key) => [key, key])
    expect(await listAll(store, 'thing/')).toEqual(sorted(keys))
    expect(await listAll(store, '\uffff')).toEqual(sorted(['\uffff', '\uffffa']))
    expect(await listAll(store, '')).toEqual(sorted([...keys, ...others]))
  })

  test(`${kind}: a long listing gives everything once, also while others write and when it is left early`, async () => {
    const { store } = await open()
    const entries = Array.from({ length: 2_500 }, (_, index) => [`thing/${index}`, { index }] as const)
    await store.write(new Map(entries))

    const seen: string[] = []
    for await (const [key] of store.list('thing/')) {
      seen.push(key)
      if (seen.length === 1_200) await store.write(new Map([['tag/new', {}]]))
    }
    for await (const [key] of store.list('thing/')) if (key !== '') break

    expect(seen.length).toBe(2_500)
    expect(new Set(seen)).toEqual(new Set(entries.map(([key]) => key)))
  })

  test(`${kind}: of a write that fails nothing is kept`, async () => {
    const { store } = await open()
    await store.write(new Map([['a', 'before']]))
    // Neither JSON nor a database can keep it.
    const unkept = {
      toJSON: () => {
        throw new Error('not to be kept')
      },
    }

    const changes = new Map<string, unknown>([
      ['a', 'after'],
      ['b', 1],
      ['c', unkept],
      ['d', 1],
    ])
    await expect(store.write(changes)).rejects.toThrow()

    expect(await listAll(store, '')).toEqual([['a', 'before']])
    await store.write(new Map([['b', 2]]))
    expect(await store.get('b')).toBe(2)
  })

  test(`${kind}: what was written is there for the next program`, async () => {
    const { store, reopen } = await open()
    await store.write(
      new Map<string, unknown>([
        ['a', 1],
        ['b', 2],
      ]),
    )
    await store.write(new Map<string, unknown>([['b', undefined]]))

    expect(await listAll(await reopen(store), '')).toEqual([['a', 1]])
  })

  test(`${kind}: in any history of writes, small and large, each key has the value that was written last`, async () => {
    const { store, reopen } = await open()
    const change = fc.tuple(fc.nat(150), fc.option(fc.nat(), { nil: undefined }))
    const small = fc.array(change, { minLength: 1, maxLength: 5 })
    const large = fc.array(change, { minLength: 80, maxLength: 150, size: 'max' })
    const step = fc.oneof(small, large, fc.constant('reopen' as const), fc.constant('list' as const))
    const expected = new Map<string, unknown>()
    let current = store
    const check = async (opened: LocalStore) => {
      const listed = await listAll(opened, 'k/')
      expect(listed).toEqual([...expected].sort(([one], [other]) => (one < other ? -1 : 1)))
      const keys = Array.from({ length: 151 }, (_, index) => `k/${index}`)
      const values = await (opened.getMany?.(keys) ?? Promise.all(keys.map(opened.get)))
      expect(values).toEqual(keys.map((key) => expected.get(key)))
    }

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        for (const one of steps) {
          if (one === 'reopen') current = await reopen(current)
          else if (one === 'list') await check(current)
          else {
            const changes = new Map(one.map(([number, value]) => [`k/${number}`, value]))
            // While a listing is read, which must be none the worse for it.
            const listing = current.list('k/')[Symbol.asyncIterator]()
            await listing.next()
            await current.write(changes)
            await listing.return?.()
            for (const [key, value] of changes) value === undefined ? expected.delete(key) : expected.set(key, value)
          }
        }
        await check(current)
      }),
      { numRuns: 20 },
    )
  })

  test(`${kind}: a listing gives what nobody changes once, whatever is written meanwhile`, async () => {
    const { store } = await open()
    const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `thing/${name}${index}`)
    const [still, moved, alone] = [keysOf('still', 1_200), keysOf('moved', 1_200), keysOf('alone', 40)]
    const valued = (keys: readonly string[], value: number) => new Map(keys.map((key) => [key, value]))
    await store.write(valued([...still, ...moved], 1))
    await store.write(valued(alone, 1))

    const seen: string[] = []
    for await (const [key] of store.list('thing/')) {
      seen.push(key)
      if (seen.length === 1) await store.write(valued([...moved, ...alone.slice(5)], 2))
      if (seen.length === 600) for (const key of moved.slice(0, 50)) await store.write(valued([key], 3))
    }

    const all = [...still, ...moved, ...alone]
    expect([seen.length, new Set(seen)]).toEqual([all.length, new Set(all)])
  })
}
