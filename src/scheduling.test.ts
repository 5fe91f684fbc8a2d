import { expect, test } from 'vitest'
import { loadOnce, runInSlices, runToEnd, type Work } from './scheduling.ts'

const busy = (milliseconds: number): void => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

function* work(events: string[]): Work<string> {
  for (const step of ['first', 'second', 'third']) {
    busy(10)
    events.push(step)
    yield
  }
  return 'done'
}

test('other events run before the first slice of long work and between slices', async () => {
  const events: string[] = []
  const others = setInterval(() => void events.push('other'), 0)

  const result = await runInSlices(work(events))
  clearInterval(others)

  expect(result).toBe('done')
  expect(events.join(' ')).toMatch(/^(other )*first (other )+second (other )+third( other)*$/)
})

test('work that runs to its end lets no other event run', () => {
  const events: string[] = []
  setImmediate(() => void events.push('other'))

  expect(runToEnd(work(events))).toBe('done')
  expect(events).toEqual(['first', 'second', 'third'])
})

test('both ways throw the error of the work', async () => {
  function* fail(): Work<void> {
    yield
    throw new RangeError('no')
  }

  expect(() => runToEnd(fail())).toThrow(RangeError)
  await expect(runInSlices(fail())).rejects.toThrow(RangeError)
})

test('something that is loaded once is loaded at the first call, and shared with all other calls', async () => {
  let loads = 0
  const load = loadOnce(async () => {
    loads += 1
    return {}
  })
  const before = loads

  const [first, second] = await Promise.all([load(), load()])

  expect(before).toBe(0)
  expect(second).toBe(first)
  expect(await load()).toBe(first)
  expect(loads).toBe(1)
})

test('a failure to load reaches all calls that wait, and the next call loads again', async () => {
  let loads = 0
  const load = loadOnce(async () => {
    loads += 1
    if (loads === 1) throw new Error('the disk is busy')
    return loads
  })

  const failed = await Promise.allSettled([load(), load()])

  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect([await load(), await load()]).toEqual([2, 2])
})
