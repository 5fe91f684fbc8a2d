import { expect, test } from 'vitest'
import { createMemoryLocalStore, type LocalStore } from './local-store.ts'
import { rememberWrites } from './replica.ts'
import { keys } from './replica-records.ts'

/** Creates a store that records its reads, and whose writes fail on request. */
const openFixture = () => {
  const kept = createMemoryLocalStore()
  const read: string[] = []
  const state = { fails: false }
  const store: LocalStore = {
    ...kept,
    get: (key) => {
      read.push(key)
      return kept.get(key)
    },
    write: async (changes) => {
      if (state.fails) throw new Error('the disk is full')
      await kept.write(changes)
    },
  }
  return { store: rememberWrites(store), kept, read, state }
}

test('things of the last two writes are not read again, and older ones are', async () => {
  const { store, read } = openFixture()
  for (const id of ['a', 'b', 'c']) await store.write(new Map([[keys.thing(id), id]]))
  await store.write(new Map<string, unknown>([[keys.state, 'state']]))

  const values = await store.getMany?.([keys.thing('a'), keys.thing('b'), keys.state, keys.thing('c')])

  expect(values).toEqual(['a', 'b', 'state', 'c'])
  expect(read).toEqual([keys.thing('a'), keys.state])
})

test('the settings of a tag are read once, until they are written', async () => {
  const { store, read } = openFixture()
  const tag = keys.tag('home')

  const before = [await store.get(tag), await store.get(tag)]
  await store.write(new Map([[tag, 'now']]))

  expect([...before, await store.get(tag), await store.get(tag)]).toEqual([undefined, undefined, 'now', 'now'])
  expect(read).toEqual([tag, tag])
})

test('values of a failed write are not returned', async () => {
  const { store, state } = openFixture()
  await store.write(new Map([[keys.thing('a'), 'first']]))
  state.fails = true

  await expect(store.write(new Map([[keys.thing('a'), 'second']]))).rejects.toThrow('the disk is full')

  expect(await store.get(keys.thing('a'))).toBe('first')
})

test('a removed value is not returned', async () => {
  const { store } = openFixture()
  await store.write(new Map([[keys.thing('a'), 'first']]))

  await store.write(new Map([[keys.thing('a'), undefined]]))

  expect(await store.get(keys.thing('a'))).toBeUndefined()
})
