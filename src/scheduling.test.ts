import { expect, test } from 'vitest'
import { runInSlices, runToEnd, type Work } from './scheduling.ts'

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
