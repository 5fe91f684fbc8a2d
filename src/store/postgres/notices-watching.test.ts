import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { VisibleChange } from '../store.ts'
import type { Run } from './database.ts'
import { createNotices, createWatches } from './notices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Watches an account at position 10. `notified` are the notifications, `row` is the row in the database. */
const watchAtTen = () => {
  const notified: VisibleChange[] = []
  const row = { userId: 'anna', position: 10, writer: 'phone' }
  const run = (async () => [row]) as unknown as Run
  const watches = createWatches({ run })
  watches.watch('anna', (change) => notified.push(change))
  watches.noteRead('anna', 10)
  /** All notifications after all timers have fired. */
  const waitForAll = async (): Promise<readonly VisibleChange[]> => {
    await vi.advanceTimersByTimeAsync(60_000)
    return notified
  }
  return { notified, waitForAll, watches, row }
}

test('late notices in any order cause no notification without a writer', async () => {
  const { waitForAll, watches } = watchAtTen()

  watches.notify('anna', { position: 12, writer: 'phone' }, 11)
  await vi.advanceTimersByTimeAsync(1_000)
  watches.notify('anna', { position: 13, writer: 'laptop' }, 12)
  await vi.advanceTimersByTimeAsync(500)
  watches.notify('anna', { position: 11, writer: 'phone' }, 10)

  expect(await waitForAll()).toEqual([
    { position: 12, writer: 'phone' },
    { position: 13, writer: 'laptop' },
    { position: 11, writer: 'phone' },
  ])
})

test('a change that a request found is notified when a notice names its writer', async () => {
  const { notified, waitForAll, watches } = watchAtTen()

  watches.noteMoved('anna', 12, 10)
  await vi.advanceTimersByTimeAsync(100)
  expect(notified).toEqual([])
  watches.notify('anna', { position: 12, writer: 'laptop' }, 11)
  watches.notify('anna', { position: 11, writer: 'phone' }, 10)
  watches.notify('anna', { position: 11, writer: 'phone' }, 10)

  expect(await waitForAll()).toEqual([
    { position: 12, writer: 'laptop' },
    { position: 11, writer: 'phone' },
  ])
})

test('after a lost notice all watchers are notified, even if a later change is known', async () => {
  const { notified, waitForAll, watches } = watchAtTen()

  watches.notify('anna', { position: 13, writer: 'phone' }, 12)
  watches.notify('anna', { position: 11, writer: 'phone' }, 10)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(notified.map(({ position }) => position)).toEqual([13, 11])

  expect((await waitForAll()).slice(2)).toEqual([{ position: 12, writer: '' }])
})

test('without any notice, a poll finds the change', async () => {
  const { notified, waitForAll, watches, row } = watchAtTen()

  row.position = 11
  await watches.poll()
  await watches.poll()
  await vi.advanceTimersByTimeAsync(0)
  expect(notified).toEqual([{ position: 11, writer: 'phone' }])

  row.position = 14
  await watches.poll()
  await watches.poll()
  expect((await waitForAll()).slice(1)).toEqual([{ position: 14, writer: '' }])
})

test('a watcher is not notified after it has stopped', async () => {
  const { watches } = watchAtTen()
  const notified: VisibleChange[] = []
  const stop = watches.watch('bert', (change) => notified.push(change))
  watches.noteRead('bert', 1)
  watches.noteMoved('bert', 3, 1)
  stop()
  watches.watch('bert', (change) => notified.push(change))

  await vi.advanceTimersByTimeAsync(60_000)
  expect(notified).toEqual([])
})

test('a notice coalesces changes of one process, but not across changes of another', async () => {
  const sent: string[] = []
  const run = (async (_: unknown, [, payload]: readonly string[]) => sent.push(`${payload}`)) as unknown as Run
  const ignore = (): void => undefined
  const listeners = { onChange: ignore, onRemoval: ignore, onEnd: ignore, onOutbox: ignore }
  const notices = createNotices({ database: { run }, listenUrl: '', ...listeners })

  notices.notifyChange('anna', { position: 11, writer: 'phone' }, 10)
  notices.notifyChange('anna', { position: 13, writer: 'phone' }, 11)
  notices.notifyChange('bert', { position: 2, writer: 'tablet' }, 1)
  notices.notifyChange('anna', { position: 15, writer: 'phone' }, 14)
  notices.notifyChange('anna', { position: 16, writer: 'laptop' }, 15)
  await vi.advanceTimersByTimeAsync(100)

  expect(sent.map((payload) => JSON.parse(payload).changes)).toEqual([
    [
      ['anna', 13, 'phone', 10],
      ['anna', 16, '', 14],
      ['bert', 2, 'tablet', 1],
    ],
  ])
})
