import { expect, onTestFinished, test } from 'vitest'
import { ClientError } from '../../client/src/client-error.ts'
import type { Client } from '../../client/src/create-client.ts'
import { createMemoryLocalStore } from '../../client/src/local-store.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { type AccountTimes, createTokenClient, openAccount } from './account.ts'

const server = await openFileServer()

/** How the server behaves for the account: as it is, without a connection, or without a response. */
type Network = 'up' | 'down' | 'silent'

const fail = (fault: unknown): never => {
  throw fault
}

/** An account of a new user, another device of this user, and a network that the test controls. */
const openFixture = async (times: Partial<AccountTimes> = {}, first: Network = 'up') => {
  const { phone, laptop } = await server.openTwoDevices()
  const client = createTokenClient(server.baseUrl, laptop.token)
  let network = first
  const streamSyncParts: Client['streamSyncParts'] = async function* (parameters, options) {
    if (network === 'down') throw new ClientError('network', 'no connection')
    if (network === 'silent') await new Promise((_, reject) => onAbort(options?.signal, reject))
    yield* client.streamSyncParts(parameters, options)
  }
  const long = { searchWait: 60_000, retryWait: 60_000, firstWait: 60_000, saveWait: 60_000, silence: 60_000 }
  const allTimes = { freshFor: 0, ...long, ...times }
  const account = await openAccount({ ...client, streamSyncParts }, createMemoryLocalStore(), fail, allTimes)
  onTestFinished(account.close)
  const set = (next: Network) => {
    network = next
  }
  return { account, phone, set }
}

const onAbort = (signal: AbortSignal | undefined, reject: (reason: unknown) => void) =>
  signal?.addEventListener('abort', () => reject(signal.reason))

const all = { text: '', tags: [], archived: 'exclude' } as const

test('an edit made offline that the server rejects is reported until a tool changes the item', async () => {
  const { account, phone, set } = await openFixture()
  await account.refresh()
  set('down')
  const { id, waitsBecause } = await account.save({ kind: 'create', fields: { title: 'x'.repeat(70_000) } })
  set('up')

  const state = await account.refresh()
  await account.save({ kind: 'change', id, fields: { title: 'short' } })
  const later = await account.refresh()

  expect(waitsBecause).toBe('the server cannot be reached')
  expect(state.problem).toMatch(new RegExp(`^the server rejects edits of these items: ${id}; .*parameter_invalid`))
  expect(later.problem).toBe(undefined)
  expect((await phone.sync()).things).toMatchObject({ changed: [{ title: 'short' }] })
})

test('a rejected edit is undone, and reported only to its own call', async () => {
  const { account, phone } = await openFixture({ freshFor: 60_000 })
  const { id } = await account.save({ kind: 'create', fields: { title: 'one', tags: 'a' } })

  const change = account.save({ kind: 'change', id, fields: { title: 'x'.repeat(70_000), tags: 'b' } })
  await expect(change).rejects.toThrow(/^nothing was changed: the server responded with parameter_invalid: .*title/)
  const create = account.save({ kind: 'create', fields: { title: 'x'.repeat(70_000) } })
  await expect(create).rejects.toThrow(/^nothing was changed/)

  expect((await account.refresh()).problem).toBe(undefined)
  expect(await account.index.search(all)).toEqual([id])
  expect(await account.replica.findThing(id)).toMatchObject({ title: 'one', tags: 'a' })
  await account.save({ kind: 'change', id, fields: { archived: true } })
  expect((await phone.sync()).things).toMatchObject({ changed: [{ title: 'one', tags: 'a', archived: true }] })
})

test('a change of an item that another device has deleted is an error', async () => {
  const { account, phone } = await openFixture()
  const { id } = await account.save({ kind: 'create', fields: { title: 'one' } })
  await phone.sync({ deleted_thing: [id] })

  const change = account.save({ kind: 'change', id, fields: { title: 'two' } })

  await expect(change).rejects.toThrow('nothing was changed: another device has deleted this item')
  expect(await account.index.search(all)).toEqual([])
  expect(await account.replica.listLostEdits()).toEqual([])
})

test('a search waits for a silent server once, and then uses the copy', async () => {
  const { account, phone, set } = await openFixture({ silence: 50, searchWait: 5, retryWait: 0 })
  await phone.sync({ new_thing: [{ local_id: 'a', title: 'one' }] })
  await account.refresh()
  await expect.poll(async () => (await account.index.search(all)).length).toBe(1)
  set('silent')

  const state = await account.refresh()
  await expect.poll(async () => (await account.refresh()).problem).toBe('the server cannot be reached')

  expect(state.problem).toBe('the server did not respond yet')
  expect(await account.index.search(all)).toHaveLength(1)
  set('up')
  await expect.poll(async () => (await account.refresh()).problem).toBe(undefined)
})

test('before the first copy there is nothing to show, and the error says why', async () => {
  const silent = await openFixture({ firstWait: 5 }, 'silent')
  const down = await openFixture({}, 'down')

  await expect(silent.account.refresh()).rejects.toThrow('the items are still being downloaded')
  await expect(down.account.refresh()).rejects.toThrow('there is no copy of the items yet, and the server cannot be')
})

test('a fresh copy needs no request, and concurrent searches share one', async () => {
  const { account, phone, set } = await openFixture({ freshFor: 60_000 })
  await phone.sync({ new_thing: [{ local_id: 'a', title: 'one' }] })

  const states = await Promise.all([account.refresh(), account.refresh(), account.refresh()])
  set('down')
  const later = await account.refresh()

  expect(new Set([...states, later].map(({ syncedAt }) => syncedAt)).size).toBe(1)
  expect(later.problem).toBe(undefined)
})

test('a token that the server rejects is an error at each call', async () => {
  const client = createTokenClient(server.baseUrl, 'wrong')
  const account = await openAccount(client, createMemoryLocalStore(), fail)

  for (const _ of [1, 2]) await expect(account.refresh()).rejects.toThrow('the server rejects the token')
  await expect(account.save({ kind: 'create', fields: { title: 'one' } })).rejects.toThrow('rejects the token')
})
