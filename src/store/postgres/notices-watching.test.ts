import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { VisibleChange } from '../store.ts'
import type { Run } from './database.ts'
import { createNotices, createWatches } from './notices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An account at position 10 that somebody watches: what was told, and what the database says of its place. */
const watchAtTen = () => {
  const told: VisibleChange[] = []
  const place = { userId: 'anna', position: 10, writer: 'phone' }
  const run = (async () => [place]) as unknown as Run
  const watching = createWatches({ run })
  watching.watch('anna', (change) => told.push(change))
  watching.noteRead('anna', 10)
  /** What was told, when all that is waited for has passed. */
  const toldAtLast = async (): Promise<readonly VisibleChange[]> => {
    await vi.advanceTimersByTimeAsync(60_000)
    return told
  }
  return { told, toldAtLast, watching, place }
}

test('notices that come late and in any order tell nobody of changes that nobody else made', async () => {
  const { toldAtLast, watching } = watchAtTen()

  watching.tell('anna', { position: 12, writer: 'phone' }, 11)
  await vi.advanceTimersByTimeAsync(1_000)
  watching.tell('anna', { position: 13, writer: 'laptop' }, 12)
  await vi.advanceTimersByTimeAsync(500)
  watching.tell('anna', { position: 11, writer: 'phone' }, 10)

  expect(await toldAtLast()).toEqual([
    { position: 12, writer: 'phone' },
    { position: 13, writer: 'laptop' },
    { position: 11, writer: 'phone' },
  ])
})

test('what a request has found is told when a notice says who made it', async () => {
  const { told, toldAtLast, watching } = watchAtTen()

  watching.noteMoved('anna', 12, 10)
  await vi.advanceTimersByTimeAsync(100)
  expect(told).toEqual([])
  watching.tell('anna', { position: 12, writer: 'laptop' }, 11)
  watching.tell('anna', { position: 11, writer: 'phone' }, 10)
  watching.tell('anna', { position: 11, writer: 'phone' }, 10)

  expect(await toldAtLast()).toEqual([
    { position: 12, writer: 'laptop' },
    { position: 11, writer: 'phone' },
  ])
})

test('where a notice is lost all are told, though a later change is known', async () => {
  const { told, toldAtLast, watching } = watchAtTen()

  watching.tell('anna', { position: 13, writer: 'phone' }, 12)
  watching.tell('anna', { position: 11, writer: 'phone' }, 10)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told.map(({ position }) => position)).toEqual([13, 11])

  expect((await toldAtLast()).slice(2)).toEqual([{ position: 12, writer: '' }])
})

test('where no notice came at all, a look finds the change', async () => {
  const { told, toldAtLast, watching, place } = watchAtTen()

  place.position = 11
  await watching.look()
  await watching.look()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual([{ position: 11, writer: 'phone' }])

  place.position = 14
  await watching.look()
  await watching.look()
  expect((await toldAtLast()).slice(1)).toEqual([{ position: 14, writer: '' }])
})

test('nobody is told after he has stopped watching', async () => {
  const { watching } = watchAtTen()
  const told: VisibleChange[] = []
  const stop = watching.watch('bert', (change) => told.push(change))
  watching.noteRead('bert', 1)
  watching.noteMoved('bert', 3, 1)
  stop()
  watching.watch('bert', (change) => told.push(change))

  await vi.advanceTimersByTimeAsync(60_000)
  expect(told).toEqual([])
})

test('a notice holds changes of one process together, and not what another has made between them', async () => {
  const sent: string[] = []
  const run = (async (_: unknown, [, payload]: readonly string[]) => sent.push(`${payload}`)) as unknown as Run
  const nothing = (): void => undefined
  const hearers = { onChange: nothing, onRemoval: nothing, onEnd: nothing, onErrands: nothing }
  const notices = createNotices({ database: { run }, listenUrl: '', ...hearers })

  notices.tellChange('anna', { position: 11, writer: 'phone' }, 10)
  notices.tellChange('anna', { position: 13, writer: 'phone' }, 11)
  notices.tellChange('bert', { position: 2, writer: 'tablet' }, 1)
  notices.tellChange('anna', { position: 15, writer: 'phone' }, 14)
  notices.tellChange('anna', { position: 16, writer: 'laptop' }, 15)
  await vi.advanceTimersByTimeAsync(100)

  expect(sent.map((payload) => JSON.parse(payload).changes)).toEqual([
    [
      ['anna', 13, 'phone', 10],
      ['anna', 16, '', 14],
      ['bert', 2, 'tablet', 1],
    ],
  ])
})
