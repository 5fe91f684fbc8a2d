import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { contractForm } from '../../test/store/fixtures.ts'
import { createStore, memoryBackend } from './create-store.ts'
import { pagedDownloadSeconds } from './store.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
afterEach(() => void vi.useRealTimers())

const passMinute = async (): Promise<void> => {
  vi.advanceTimersByTime(60_000)
  await new Promise((resolve) => setImmediate(resolve))
}

/** A store with two idle accounts, and a backend that releases them. */
const openIdle = async (releaseAccount: (userId: string) => Promise<boolean>) => {
  let milliseconds = 0
  const backend = { ...memoryBackend, releaseAccount }
  const store = await createStore({ form: contractForm, monotonicMs: () => milliseconds, backend })
  for (const userId of ['ann', 'bob']) await store.read(userId)
  milliseconds = (pagedDownloadSeconds + 1) * 1000
  return store
}

test('idle accounts are closed once, however slow the disk is for one of them', async () => {
  const released: string[] = []
  let free = (): void => undefined
  const isFree = new Promise<void>((resolve) => {
    free = resolve
  })
  const store = await openIdle(async (userId) => {
    released.push(userId)
    await isFree
    return false
  })

  for (let minute = 0; minute < 3; minute += 1) await passMinute()
  free()
  await store.close()

  expect(released).toEqual(['ann'])
})

test('a bug in the closing of idle accounts is no unhandled rejection; the check reports it', async () => {
  const store = await openIdle(async () => {
    throw new TypeError('a bug')
  })

  await passMinute()

  await expect(store.check()).rejects.toThrow('a bug')
  await store.close()
})
