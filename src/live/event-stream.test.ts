import { expect, test } from 'vitest'
import { systemEnvironment } from '../environment.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing.ts'
import { renderPositionEvent } from '../wire/event-stream.ts'
import { openEvents } from './event-stream.ts'
import { createWaitSlots, type TimerWheelEntry } from './listeners.ts'

/** Opens a stream to a fake client that accepts text when the test calls `take`. */
const openFakeClient = async () => {
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
    tick: () => entry?.onTick(),
    /** Changes the account so many times, and notifies the stream. */
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

test('many changes while a client reads an event become a single event, the newest', async () => {
  const { sent, take, change } = await openFakeClient()
  await change(1)
  await change(100)
  await change(7)
  expect(sent).toEqual([renderPositionEvent(0)])

  take()
  expect(sent).toEqual([renderPositionEvent(0), renderPositionEvent(108)])
  take()
  expect(sent).toHaveLength(2)
})

test('changes before the stream runs become a single event', async () => {
  const { sent, take, change } = await openFakeClient()
  take()

  await change(100)

  expect(sent).toEqual([renderPositionEvent(0), renderPositionEvent(100)])
})

test('a client that accepts nothing for a whole round is dropped, and no text is stored for it', async () => {
  const { sent, done, change, tick } = await openFakeClient()

  tick()
  await change(10)
  expect(done).toEqual([])
  tick()

  expect(sent).toEqual([renderPositionEvent(0)])
  expect(done).toEqual(['dropped'])
})

test('a client that reads stays for any number of ticks', async () => {
  const { sent, done, take, tick } = await openFakeClient()
  take()

  for (let round = 0; round < 3; round += 1) {
    tick()
    take()
  }

  expect(sent).toEqual([renderPositionEvent(0), ':\n\n', ':\n\n', ':\n\n'])
  expect(done).toEqual([])
})
