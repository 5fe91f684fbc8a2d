import { expect, test } from 'vitest'
import { systemEnvironment } from '../environment.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing.ts'
import { renderPositionEvent } from '../wire/event-stream.ts'
import { openEvents } from './event-stream.ts'
import { createWaitSlots, type TimerWheelEntry } from './listeners.ts'

/** A stream to a client that takes what it is sent when the test says so. */
const openTrial = async () => {
  const store = await openMemoryStore({ form: thingForm })
  const sent: string[] = []
  const done: string[] = []
  const soon = new Set<() => void>()
  let taken = (): void => undefined
  let entry: TimerWheelEntry | undefined
  const context = {
    store,
    waitSlots: createWaitSlots(10),
    timerWheel: {
      join: (joined: TimerWheelEntry) => {
        entry = joined
        return () => undefined
      },
      count: () => 1,
      stop: () => undefined,
    },
    runSoon: (run: () => void) => void soon.add(run),
    isValid: async () => true,
  }
  const session = { id: 'reader', userId: 'anna' }
  const presence = { closed: false, once: () => undefined }
  const stream = await openEvents(context, { session, accessToken: systemEnvironment.newSecret(), presence })
  stream.begin({
    write: (text, onTaken) => {
      sent.push(text)
      taken = onTaken
    },
    end: () => done.push('ended'),
    destroy: () => done.push('dropped'),
  })
  return {
    sent,
    done,
    take: () => taken(),
    turn: () => entry?.onTick(),
    /** Changes the account so many times, and lets the stream know. */
    change: async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        const setting = { favorite: true, color: false, todo: false } as const
        await store.write('anna', 'writer', (draft) => draft.putTag('todo', setting))
      }
      for (const run of soon) run()
      await new Promise((turn) => setImmediate(turn))
    },
  }
}

test('many changes while a client reads one event are one event, the newest', async () => {
  const { sent, take, change } = await openTrial()
  await change(1)
  await change(100)
  await change(7)
  expect(sent).toEqual([renderPositionEvent(0)])

  take()
  expect(sent).toEqual([renderPositionEvent(0), renderPositionEvent(108)])
  take()
  expect(sent).toHaveLength(2)
})

test('changes that come before the stream has its turn are one event', async () => {
  const { sent, take, change } = await openTrial()
  take()

  await change(100)

  expect(sent).toEqual([renderPositionEvent(0), renderPositionEvent(100)])
})

test('a client that takes nothing for a whole round is dropped, and nothing is kept for it', async () => {
  const { sent, done, change, turn } = await openTrial()

  turn()
  await change(10)
  expect(done).toEqual([])
  turn()

  expect(sent).toEqual([renderPositionEvent(0)])
  expect(done).toEqual(['dropped'])
})

test('a client that reads stays, however often its turn comes', async () => {
  const { sent, done, take, turn } = await openTrial()
  take()

  for (let round = 0; round < 3; round += 1) {
    turn()
    take()
  }

  expect(sent).toEqual([renderPositionEvent(0), ':\n\n', ':\n\n', ':\n\n'])
  expect(done).toEqual([])
})
