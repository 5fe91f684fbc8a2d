import { expect, onTestFinished, test } from 'vitest'
import { createLoginAttempts, createRegistrations, defaultAttemptLimits } from '../../src/accounts/login-attempts.ts'
import { ApiError } from '../../src/api-error.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { SharedCounts } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing.ts'
import { openTestServer } from '../support/open-test-server.ts'
import { openCuttingProxy } from './cutting-proxy.ts'
import { openTestDatabase, withConnection } from './open-database.ts'
import { openStores } from './open-stores.ts'

/** Three stores on a database, as three processes have them. */
const openFixture = async () => {
  const { url, drop } = await openTestDatabase()
  onTestFinished(drop)
  const stores = await openStores(3, url)
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()))
  })
  const query = (text: string) => withConnection(url, (connection) => connection.query(text))
  const shared = stores.map((store) => store.shared as SharedCounts)
  return { url, query, stores, shared }
}

const kindOf = (error: unknown) => (error instanceof ApiError ? error.kind : error)

test('what one process has counted stands there for the others, until its time has passed', async () => {
  const { query, shared } = await openFixture()
  const [one, two] = shared.map((counts) => counts.openTable('a table', 60))
  const other = shared[2]?.openTable('another table', 60)

  await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two)?.add('key')))
  const after = await one?.add('key')
  await two?.subtract('key')

  expect(after?.count).toBe(21)
  expect(await one?.find('key')).toMatchObject({ count: 20 })
  expect((await one?.find('key'))?.msLeft).toBeGreaterThan(0)
  expect(await other?.find('key')).toEqual({ count: 0, msLeft: 0 })
  await query(`update attempt set ends_at = clock_timestamp()`)
  expect(await two?.find('key')).toEqual({ count: 0, msLeft: 0 })
  expect((await two?.add('key'))?.count).toBe(1)
  await one?.forget('key')
  expect((await two?.find('key'))?.count).toBe(0)
})

test('wrong passwords are as many as one process allows, however many processes there are', async () => {
  const { shared } = await openFixture()
  const all = shared.map((counts) => createLoginAttempts(() => undefined, undefined, undefined, counts))
  let checks = 0
  const guess = (index: number, isRight: boolean) =>
    all[index % 3]
      ?.check({ address: '10.0.0.1', username: 'anna' }, async (check) => {
        const found = await check('id', async () => {
          checks += 1
          return isRight
        })
        if (!found) throw new ApiError('passwordInvalid')
        return 'granted'
      })
      .catch(kindOf)

  const tries = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(index, false)))

  expect(checks).toBe(defaultAttemptLimits.perPair)
  expect(tries.filter((kind) => kind === 'passwordInvalid')).toHaveLength(defaultAttemptLimits.perPair)
  expect(tries.filter((kind) => kind === 'tooManyAttempts')).toHaveLength(20)
  expect([await guess(0, true), await guess(1, true), await guess(2, true)]).toEqual(Array(3).fill('tooManyAttempts'))
})

test('who got in by one process is welcome at the others, and a right password clears what failed', async () => {
  const { shared } = await openFixture()
  const waits: number[] = []
  const clock = { now: () => 0, sleep: async (ms: number) => void waits.push(ms) }
  const limits = { ...defaultAttemptLimits, failuresPerSecond: 1 }
  const [one, two] = shared.map((counts) => createLoginAttempts(() => undefined, limits, clock, counts))
  const from = (address: string, isRight: boolean) => (attempts: typeof one) =>
    attempts?.check({ address, username: 'anna' }, (check) => check('id', async () => isRight))
  await one?.recordSuccess('10.0.0.9', 'id')
  for (let index = 0; index < 3; index++) await from(`10.0.0.${index}`, false)(one)
  const before = waits.length

  expect(await from('10.0.0.9', true)(two)).toBe(true)
  expect(waits).toHaveLength(before)
  expect(await from('10.0.0.8', true)(two)).toBe(true)
  expect(waits).toHaveLength(before + 1)
})

test('slots of a queue are granted one after the other, whichever process requests them', async () => {
  const { shared } = await openFixture()
  const gap = 1_000_000
  const take = (index: number, lines: readonly string[]) =>
    shared[index % 3]?.reserveSlot(new Map(lines.map((line) => [line, gap])), 100 * gap)

  const waits = await Promise.all(
    Array.from({ length: 20 }, (_, index) => take(index, index % 2 ? ['a', 'b'] : ['b', 'a'])),
  )

  const slots = waits.map((ms) => Math.round((ms ?? -1) / gap)).sort((one, other) => one - other)
  expect(slots).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(Math.round(Number(await shared[0]?.reserveSlot(new Map([['a', gap]]), 1)) / gap)).toBe(20)
  expect(Math.round(Number(await take(1, ['a'])) / gap)).toBe(20)
  expect(Math.round(Number(await take(1, ['c'])) / gap)).toBe(0)
})

test('accounts are requested as often as one process allows', async () => {
  const { shared } = await openFixture()
  const all = shared.map(createRegistrations)

  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, index) => all[index % 3]?.count('10.0.0.1').catch(kindOf)),
  )

  expect(outcomes.filter((kind) => kind === 'tooManyAttempts')).toHaveLength(10)
})

test('a session has so many slots in all processes, and a freed slot is free in each process', async () => {
  const { shared } = await openFixture()
  const take = (index: number, session = 's') => shared[index % 3]?.takeSlot('u', session, 10)

  const all = await Promise.all(Array.from({ length: 30 }, (_, index) => take(index)))

  const taken = all.filter((leave) => leave !== undefined)
  expect(taken).toHaveLength(10)
  expect(await take(0, 'another')).toBeDefined()
  expect(await take(0)).toBeUndefined()
  taken[0]?.()
  taken[0]?.()
  const next = [await take(1), await take(2)]
  expect(next.filter((leave) => leave !== undefined)).toHaveLength(1)
})

test('the slots of a process that ends, or no longer renews them, are free', async () => {
  const { query, stores, shared } = await openFixture()
  for (let index = 0; index < 5; index++) await shared[0]?.takeSlot('u', 's', 10)
  // As a process has them that will be killed.
  await query(`insert into slot_holder values ('killed', clock_timestamp() + interval '1 hour')`)
  await query(
    `insert into slot (account, session, number, holder)
     select account, session, free, 'killed' from slot, generate_series(1, 10) as free
     where number = (select min(number) from slot) on conflict do nothing`,
  )
  expect(await shared[2]?.takeSlot('u', 's', 10)).toBeUndefined()

  await stores[0]?.close()
  const freed = await Promise.all(Array.from({ length: 6 }, () => shared[2]?.takeSlot('u', 's', 10)))
  expect(freed.filter((leave) => leave !== undefined)).toHaveLength(5)

  await query(`update slot_holder set ends_at = clock_timestamp() where id = 'killed'`)
  const again = await Promise.all(Array.from({ length: 6 }, () => shared[2]?.takeSlot('u', 's', 10)))
  expect(again.filter((leave) => leave !== undefined)).toHaveLength(5)
})

test('while the database is away nobody gets in, and no response says that a password is wrong', async () => {
  const { url, drop } = await openTestDatabase()
  onTestFinished(drop)
  const proxy = await openCuttingProxy(Number(new URL(url).port))
  const through = new URL(url)
  through.port = String(proxy.port)
  const store = await openPostgres({ url: through.href, form: thingForm, connections: 4 })
  const server = await openTestServer({ store })
  const token = (password: string) => {
    const client = { client_id: server.clientId, client_secret: server.clientSecret }
    return server.post('/token', { form: { grant_type: 'password', ...client, username: 'anna', password } })
  }
  expect((await token('correct horse')).status).toBe(200)

  await proxy.close()
  const responses = await Promise.all([token('correct horse'), token('wrong horse')])

  for (const { status, body, headers } of responses) {
    expect([status, body.error]).toEqual([503, 'temporarily_unavailable'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
})
