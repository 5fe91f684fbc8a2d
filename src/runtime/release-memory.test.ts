import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pagedDownloadSeconds } from '../store/store.ts'
import { collectGarbage, releaseMemoryWhenIdle } from './release-memory.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Watches a process whose CPU time the test sets; `run` passes seconds and returns the times of new collections. */
const openWatch = (collections = 1) => {
  const process = { cpu: 1_000 }
  const start = Date.now()
  const seen: number[] = []
  const debug = vi.fn()
  const stop = releaseMemoryWhenIdle({
    readCpu: () => process.cpu,
    collect: () => {
      // A collection takes CPU time too.
      process.cpu += 400
      seen.push((Date.now() - start) / 1000)
    },
    collections,
    log: { debug },
  })
  const run = (seconds: number) => {
    vi.advanceTimersByTime(seconds * 1000)
    return seen.splice(0)
  }
  return { process, run, stop, debug }
}

test('it collects once after the start, once when idle accounts were dropped, and then no more', () => {
  const { run, debug } = openWatch()

  expect(run(pagedDownloadSeconds)).toEqual([5])
  expect(debug.mock.calls).toEqual([['memory was returned to the system']])
  expect(run(24 * 3_600)).toEqual([5 + pagedDownloadSeconds + 120])
})

test('it collects once after each piece of work, in the first idle five seconds', () => {
  const { process, run } = openWatch()
  run(100)

  process.cpu += 51
  expect(run(10)).toEqual([110])
  expect(run(100)).toEqual([])
  process.cpu += 10_000
  expect(run(100)).toEqual([220])
})

test('it does not collect while the process works, nor for little work', () => {
  const { process, run } = openWatch()
  run(100)

  for (let second = 0; second < 60; second += 5) {
    process.cpu += 60
    expect(run(5)).toEqual([])
  }
  expect(run(60)).toEqual([165])
  for (let second = 0; second < 60; second += 5) {
    process.cpu += 50
    expect(run(5)).toEqual([])
  }
})

test('collections are at least 30 seconds apart, and none is lost', () => {
  const { process, run } = openWatch()
  const times = []
  for (let second = 0; second < 60; second += 10) {
    times.push(...run(5))
    process.cpu += 1_000
    times.push(...run(5))
  }

  expect(times).toEqual([5, 35])
  expect(run(60)).toEqual([65])
})

test('where one collection is not enough, the next ones follow after idle five seconds', () => {
  const { process, run, debug } = openWatch(3)

  expect(run(10)).toEqual([5, 10])
  process.cpu += 1_000
  expect(run(5)).toEqual([])
  expect(debug).not.toHaveBeenCalled()
  expect(run(15)).toEqual([20])
  expect(run(60)).toEqual([35, 40, 45])
})

test('when it is stopped, it collects no more', () => {
  const { run, stop } = openWatch()

  stop()

  expect(run(60)).toEqual([])
})

test('garbage is really collected, in a process without flags', async () => {
  vi.useRealTimers()
  const garbage = new WeakRef({ text: 'garbage' })
  // The target of a new reference stays until the turn ends.
  await nextTurn()

  // The heap of a test worker may be above the limit of a server.
  collectGarbage(Number.POSITIVE_INFINITY)
  await nextTurn()

  expect(garbage.deref()).toBeUndefined()
  expect('gc' in globalThis).toBe(false)
})

test('a heap above the limit is left as it is', async () => {
  vi.useRealTimers()
  const garbage = new WeakRef({ text: 'garbage' })
  await nextTurn()

  collectGarbage(0)

  expect(garbage.deref()).toEqual({ text: 'garbage' })
})
