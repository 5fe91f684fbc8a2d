import { expect, test } from 'vitest'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing-form.ts'
import { renderPosition } from '../wire/events.ts'
import { systemWorld } from '../world.ts'
import { openEvents } from './open-events.ts'
import { createSeats } from './seats.ts'
import type { Rider } from './wheel.ts'

/** A stream to a client that takes what it is sent when the test says so. */
const openTrial = async () => {
  const store = await openMemoryStore({ form: thingForm })
  const sent: string[] = []
  const done: string[] = []
  const soon = new Set<() => void>()
  let taken = (): void => undefined
  let rider: Rider | undefined
  const listening = {
    store,
    seats: createSeats(10),
    wheel: {
      join: (joined: Rider) => {
        rider = joined
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
  const stream = await openEvents(listening, { session, accessToken: systemWorld.newSecret(), presence })
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
    turn: () => rider?.takeTurn(),
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
  expect(sent).toEqual([renderPosition(0)])

  take()
  expect(sent).toEqual([renderPosition(0), renderPosition(108)])
  take()
  expect(sent).toHaveLength(2)
})

test('changes that come before the stream has its turn are one event', async () => {
  const { sent, take, change } = await openTrial()
  take()

  await change(100)

  expect(sent).toEqual([renderPosition(0), renderPosition(100)])
})

test('a client that takes nothing for a whole round is dropped, and nothing is kept for it', async () => {
  const { sent, done, change, turn } = await openTrial()

  turn()
  await change(10)
  expect(done).toEqual([])
  turn()

  expect(sent).toEqual([renderPosition(0)])
  expect(done).toEqual(['dropped'])
})

test('a client that reads stays, however often its turn comes', async () => {
  const { sent, done, take, turn } = await openTrial()
  take()

  for (let round = 0; round < 3; round += 1) {
    turn()
    take()
  }

  expect(sent).toEqual([renderPosition(0), ':\n\n', ':\n\n', ':\n\n'])
  expect(done).toEqual([])
})
