import { expect, test } from 'vitest'
import { createRandom } from '../../../test/store/faults/random.ts'
import type { TakenEntry } from '../store.ts'
import { createOutboxIndex } from './outbox.ts'

const userIds = ['ann', 'bob', 'cyd']
const keys = Array.from({ length: 40 }, (_, index) => `webhook/${index}`)

test('after any puts, moves, deletions, takes and releases the earliest free entry is next', async () => {
  const random = createRandom(7)
  const index = createOutboxIndex([], () => undefined)
  // A simple model: when each entry can be taken, and which keys are given out.
  const waiting = new Map<string, number>()
  const out = new Map<string, TakenEntry>()
  const earliest = (): number | undefined => {
    const times = [...waiting].filter(([name]) => !out.has(name)).map(([, at]) => at)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  for (let step = 0; step < 5000; step += 1) {
    const [userId, key] = [random.pick(userIds), random.pick(keys)]
    const name = `${userId} ${key}`
    const turn = random.below(10)
    if (turn < 5) {
      const dueAt = random.below(1000)
      index.apply(userId, [{ entry: { key, dueAt } }])
      waiting.set(name, dueAt)
    } else if (turn < 7) {
      index.apply(userId, [{ removedEntry: { key } }])
      waiting.delete(name)
    } else if (turn < 9) {
      const now = random.below(1000)
      const next = earliest()
      const taken = index.take(now)
      const takenName = taken === undefined ? '' : `${taken.userId} ${taken.key}`
      expect(taken === undefined).toBe(next === undefined || next > now)
      expect(waiting.get(takenName)).toBe(taken === undefined ? undefined : next)
      if (taken !== undefined) out.set(takenName, taken)
    } else {
      const [outName, taken] = [...out][0] ?? []
      if (outName === undefined || taken === undefined) continue
      const until = random.below(1200)
      out.delete(outName)
      await taken.release(until)
      const dueAt = index.list(taken.userId).get(taken.key)
      if (dueAt !== undefined) waiting.set(outName, Math.max(dueAt, until))
    }
    expect(index.nextAt()).toBe(earliest())
  }
})
