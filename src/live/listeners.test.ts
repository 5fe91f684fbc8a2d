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

test('a thousand who ride have one timer together, a turn each in a round, and few of them at once', () => {
  const timerWheel = createTimerWheel(25)
  const turns = Array.from({ length: 1_000 }, () => 0)
  const leave = turns.map((_, index) => {
    const takeTurn = (): void => {
      turns[index] = (turns[index] ?? 0) + 1
    }
    return timerWheel.join({ onTick: takeTurn, stop: () => undefined })
  })
  expect(vi.getTimerCount()).toBe(1)

  vi.advanceTimersByTime(1_000)
  expect(turns.filter((count) => count > 0)).toHaveLength(40)
  vi.advanceTimersByTime(24_000)
  expect(new Set(turns)).toEqual(new Set([1]))

  for (const off of leave) off()
  expect(vi.getTimerCount()).toBe(0)
})

test('who joins a wheel that has stopped is stopped too', () => {
  const timerWheel = createTimerWheel(25)
  const stopped: string[] = []
  timerWheel.join({ onTick: () => undefined, stop: () => stopped.push('before') })
  timerWheel.stop()
  timerWheel.join({ onTick: () => undefined, stop: () => stopped.push('after') })

  expect(stopped).toEqual(['before', 'after'])
})

test('for a thousand streams to which nothing happens nothing runs but their signs of life', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const ofTheStore = vi.getTimerCount()
  const countTimers = () => vi.getTimerCount() - ofTheStore
  let [writes, judgements] = [0, 0]
  const context = {
    store,
    waitSlots: createWaitSlots(1_000),
    timerWheel: createTimerWheel(25),
    runSoon: createRunCoalesced(),
    isValid: async () => {
      judgements += 1
      return true
    },
  }
  const gone: (() => void)[] = []
  for (let count = 0; count < 1_000; count += 1) {
    const presence = { closed: false, once: (_: 'close', leave: () => void) => gone.push(leave) }
    const session = { id: 'reader', userId: `user ${count % 100}` }
    const stream = await openEvents(context, { session, accessToken: 'token', presence })
    const write = (_: string, onTaken: () => void) => {
      writes += 1
      onTaken()
    }
    stream.begin({ write, end: () => undefined, destroy: () => undefined })
  }
  expect([writes, judgements, countTimers()]).toEqual([1_000, 0, 1])

  vi.advanceTimersByTime(25_000)

  expect([writes, judgements, countTimers()]).toEqual([2_000, 1_000, 1])
  for (const leave of gone) leave()
  expect(countTimers()).toBe(0)
})
