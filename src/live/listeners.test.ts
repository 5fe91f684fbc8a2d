import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing.ts'
import { openEvents } from './event-stream.ts'
import { createRunCoalesced, createTimerWheel, createWaitSlots } from './listeners.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a thousand entries share one timer, and each ticks once in a round, few of them at once', () => {
  const timerWheel = createTimerWheel(25)
  const ticks = Array.from({ length: 1_000 }, () => 0)
  const leaves = ticks.map((_, index) => {
    const onTick = (): void => {
      ticks[index] = (ticks[index] ?? 0) + 1
    }
    return timerWheel.join({ onTick, stop: () => undefined })
  })
  expect(vi.getTimerCount()).toBe(1)

  vi.advanceTimersByTime(1_000)
  expect(ticks.filter((count) => count > 0)).toHaveLength(40)
  vi.advanceTimersByTime(24_000)
  expect(new Set(ticks)).toEqual(new Set([1]))

  for (const leave of leaves) leave()
  expect(vi.getTimerCount()).toBe(0)
})

test('an entry that joins a stopped wheel is stopped', () => {
  const timerWheel = createTimerWheel(25)
  const stopped: string[] = []
  timerWheel.join({ onTick: () => undefined, stop: () => stopped.push('before') })
  timerWheel.stop()
  timerWheel.join({ onTick: () => undefined, stop: () => stopped.push('after') })

  expect(stopped).toEqual(['before', 'after'])
})

test('for a thousand silent streams only their keep-alive comments run', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const storeTimers = vi.getTimerCount()
  const countTimers = () => vi.getTimerCount() - storeTimers
  let [writes, tokenChecks] = [0, 0]
  const context = {
    store,
    waitSlots: createWaitSlots(1_000),
    timerWheel: createTimerWheel(25),
    runSoon: createRunCoalesced(),
    isValid: async () => {
      tokenChecks += 1
      return true
    },
  }
  const leavers: (() => void)[] = []
  for (let count = 0; count < 1_000; count += 1) {
    const presence = { closed: false, once: (_: 'close', leave: () => void) => leavers.push(leave) }
    const session = { id: 'reader', userId: `user ${count % 100}` }
    const stream = await openEvents(context, { session, accessToken: 'token', presence })
    const write = (_: string, onTaken: () => void) => {
      writes += 1
      onTaken()
    }
    stream.begin({ write, end: () => undefined, destroy: () => undefined })
  }
  expect([writes, tokenChecks, countTimers()]).toEqual([1_000, 0, 1])

  vi.advanceTimersByTime(25_000)

  expect([writes, tokenChecks, countTimers()]).toEqual([2_000, 1_000, 1])
  for (const leave of leavers) leave()
  expect(countTimers()).toBe(0)
})
