import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/support/delivery.ts'
import { createLimiter, type DeliveryLimits, type Job, type PoolName } from './limiter.ts'

const limits: DeliveryLimits = {
  pools: { proven: { quick: 2, slow: 3 }, new: { quick: 1, slow: 1 }, failed: { quick: 1, slow: 1 } },
  perHost: 2,
  perHostAndUser: 2,
  perUser: 4,
  slowAfterMs: 100,
}

/** Opens a limiter whose jobs run until a test ends them. */
const openFixture = (given: Partial<DeliveryLimits> = {}) => {
  const timer = createFakeClock({ now: 0 })
  const limiter = createLimiter(timer.setTimer, { ...limits, ...given })
  const running = new Map<string, () => void>()
  const dropped: string[] = []
  const add = (name: string, { userId = name, host = name, pool = 'proven' }: Partial<Job> = {}) =>
    limiter.add({
      userId,
      host,
      pool,
      run: () => new Promise<void>((resolve) => running.set(name, resolve)).then(() => void running.delete(name)),
      drop: () => void dropped.push(name),
    })
  const end = async (name: string) => {
    running.get(name)?.()
    await new Promise(setImmediate)
  }
  return { limiter, timer, add, end, dropped, names: () => [...running.keys()] }
}

test('a pool runs as many jobs as it has slots, and a slow job gives its slot back', async () => {
  const { add, end, names, timer } = openFixture()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) add(name)
  expect(names()).toEqual(['a', 'b'])

  timer.advance(100)
  expect(names()).toEqual(['a', 'b', 'c', 'd'])
  timer.advance(100)
  expect(names()).toEqual(['a', 'b', 'c', 'd', 'e'])
  timer.advance(100)
  expect(names()).toEqual(['a', 'b', 'c', 'd', 'e'])
  await end('a')

  expect(names()).toEqual(['b', 'c', 'd', 'e', 'f'])
  for (const name of ['b', 'c', 'd', 'e']) await end(name)
  expect(names()).toEqual(['f', 'g'])
})

test('a pool whose jobs hang delays no other pool', () => {
  const { add, names } = openFixture()
  for (const pool of ['failed', 'failed', 'new', 'new', 'proven'] as readonly PoolName[])
    add(`${pool} ${Math.random()}`, { pool })

  expect(names().map((name) => name.split(' ')[0])).toEqual(['failed', 'new', 'proven'])
})

test('users take turns', async () => {
  const { add, end, names } = openFixture()
  for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, { userId: 'anna' })
  add('b1', { userId: 'berta' })
  await end('a1')
  expect(names()).toEqual(['a2', 'a3'])
  await end('a2')

  expect(names()).toEqual(['a3', 'b1'])
})

test('a host has a maximum of jobs, and jobs that wait for it delay no others', async () => {
  const { add, end, names, timer } = openFixture()
  for (const name of ['a', 'b', 'c']) add(name, { host: 'one' })
  timer.advance(100)
  add('d', { host: 'other' })
  expect(names()).toEqual(['a', 'b', 'd'])

  await end('a')

  expect(names()).toEqual(['b', 'd', 'c'])
})

test('after close no job starts, and waiting jobs are dropped', async () => {
  const { limiter, add, end, names, dropped } = openFixture()
  for (const name of ['a', 'b', 'c', 'd']) add(name, { host: 'one' })
  limiter.close()
  add('e')
  await end('a')
  await end('b')

  expect(names()).toEqual([])
  expect(dropped.sort()).toEqual(['c', 'd', 'e'])
})

const largePool = { pools: { ...limits.pools, proven: { quick: 100, slow: 100 } } }

test('users take turns at a host, and one user does not use all of its slots', async () => {
  const { add, end, names } = openFixture({ ...largePool, perHost: 4, perHostAndUser: 3 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) add(name, { userId: 'anna', host: 'one' })
  add('b1', { userId: 'berta', host: 'one' })
  expect(names()).toEqual(['a1', 'a2', 'a3', 'b1'])
  for (const name of ['b2', 'b3', 'c1']) add(name, { userId: name.startsWith('b') ? 'berta' : 'carla', host: 'one' })

  await end('a1')
  await end('a2')
  await end('a3')
  await end('b1')

  expect(names()).toEqual(['b2', 'c1', 'b3', 'a4'].sort((a, b) => names().indexOf(a) - names().indexOf(b)))
  await end('c1')
  expect(names().sort()).toEqual(['a4', 'a5', 'b2', 'b3'])
})

test('a user has a maximum of running jobs, and other users are not delayed', async () => {
  const { add, end, names } = openFixture({ ...largePool, perUser: 3 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) add(name, { userId: 'anna' })
  add('b1', { userId: 'berta' })
  expect(names()).toEqual(['a1', 'a2', 'a3', 'b1'])

  await end('a2')

  expect(names()).toEqual(['a1', 'a3', 'b1', 'a4'])
})

test('each job runs eventually, however hosts, users and pools limit each other', async () => {
  const { add, end, names, timer } = openFixture({ perHost: 3, perHostAndUser: 2, perUser: 2 })
  const pools: readonly PoolName[] = ['proven', 'new', 'failed']
  const waiting = new Set<string>()
  for (let index = 0; index < 2000; index += 1) {
    const name = `job ${index}`
    waiting.add(name)
    add(name, { userId: `user ${(index * 7) % 11}`, host: `host ${(index * 5) % 13}`, pool: pools[index % 3] ?? 'new' })
  }

  while (waiting.size > 0) {
    const running = names()
    expect(running.length).toBeGreaterThan(0)
    timer.advance(100)
    for (const name of running) {
      await end(name)
      waiting.delete(name)
    }
  }

  expect(names()).toEqual([])
})
