import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AccountError } from '../accounts/names.ts'
import { StoreError } from '../store/store.ts'
import { createPiecewiseJobs, type JobBegun, type PiecewiseJobs } from './piecewise-jobs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const minute = 60_000

/** Opens a job that returns its texts in capitals, and says when it is ended. */
const openEcho = async () => ({
  next: async (text = '') => text.toUpperCase(),
  end: async () => ['ended'],
})

const idOf = (begun: JobBegun): string => {
  if (!('job' in begun)) throw new Error(begun.rejection)
  return begun.job
}

const next = (jobs: PiecewiseJobs, job: string, text = 'a') => jobs.run({ name: 'job next', job, text })
const end = (jobs: PiecewiseJobs, job: string) => jobs.run({ name: 'job end', job })

test('a job does piece after piece until it is ended, and is unknown from then on', async () => {
  const jobs = createPiecewiseJobs()
  const job = idOf(await jobs.begin('copies', openEcho))

  expect(await next(jobs, job, 'one')).toEqual({ piece: 'ONE' })
  expect(await next(jobs, job, 'two')).toEqual({ piece: 'TWO' })
  expect(await end(jobs, job)).toEqual({ notes: ['ended'] })
  expect(await next(jobs, job)).toEqual({ isUnknown: true })
  expect(await end(jobs, job)).toEqual({ isUnknown: true })
})

test('four copies and four imports run at once; the next one is rejected until one ends', async () => {
  const jobs = createPiecewiseJobs()
  const copies: string[] = []
  for (let index = 0; index < 4; index += 1) copies.push(idOf(await jobs.begin('copies', openEcho)))
  for (let index = 0; index < 4; index += 1) idOf(await jobs.begin('imports', openEcho))
  const wait = 'wait until one of them ends (a killed command ends within a minute)'

  expect(await jobs.begin('copies', openEcho)).toEqual({ rejection: `4 copies are already running; ${wait}` })
  expect(await jobs.begin('imports', openEcho)).toEqual({ rejection: `4 imports are already running; ${wait}` })
  await end(jobs, copies[0] ?? '')
  expect(await jobs.begin('copies', openEcho)).toEqual({ job: expect.any(String) })
})

test('a job is dropped when no command about it comes for a minute', async () => {
  const jobs = createPiecewiseJobs()
  const [idle, used] = [idOf(await jobs.begin('copies', openEcho)), idOf(await jobs.begin('copies', openEcho))]

  vi.advanceTimersByTime(minute - 1)
  await next(jobs, used)
  vi.advanceTimersByTime(1)
  expect(await next(jobs, idle)).toEqual({ isUnknown: true })
  vi.advanceTimersByTime(minute - 2)
  expect(await next(jobs, used)).toEqual({ piece: 'A' })
  vi.advanceTimersByTime(minute)
  expect(await next(jobs, used)).toEqual({ isUnknown: true })
})

test('a piece that takes longer than a minute does not drop its job', async () => {
  const jobs = createPiecewiseJobs()
  let finish: (text: string) => void = () => undefined
  const work = new Promise<string>((resolve) => {
    finish = resolve
  })
  const slow = { next: () => work, end: async () => [] }
  const job = idOf(await jobs.begin('imports', async () => slow))

  const piece = next(jobs, job)
  vi.advanceTimersByTime(3 * minute)
  finish('late')

  expect(await piece).toEqual({ piece: 'late' })
  expect(await end(jobs, job)).toEqual({ notes: [] })
})

test.each([
  [new AccountError('there is no user "anna"'), { rejection: 'there is no user "anna"' }],
  [new StoreError('the disk is full'), { rejection: 'the disk is full' }],
])('errors of accounts and store are the outcome of a begin and of a piece: %s', async (error, rejection) => {
  const jobs = createPiecewiseJobs()
  const fail = async () => {
    throw error
  }
  const job = idOf(await jobs.begin('imports', async () => ({ next: fail, end: async () => [] })))

  expect(await jobs.begin('imports', fail)).toEqual(rejection)
  expect(await next(jobs, job)).toEqual(rejection)
  expect(await end(jobs, job)).toEqual({ notes: [] })
})
