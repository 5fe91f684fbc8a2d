import { GCProfiler } from 'node:v8'
import { expect, test } from 'vitest'
import { routes } from '../../generated/routes.ts'
import { systemEnvironment as environment } from '../environment.ts'
import { createLive } from '../live/live.ts'
import { syncOperations } from '../operations/sync.ts'
import { runToEnd } from '../scheduling.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { Session } from '../store/registry/registry.ts'
import { thingForm } from '../things/thing.ts'
import { renderJson } from '../wire/render-json.ts'
import type { Call } from './handlers.ts'
import { createLimits } from './limits.ts'
import { decodeParameters } from './request.ts'

/** Measures the bytes of each turn that garbage collections move from the young to the old generation. */
const measurePromoted = async (turns: number, work: (turn: number) => Promise<void>): Promise<number> => {
  const profiler = new GCProfiler()
  profiler.start()
  for (let turn = 0; turn < turns; turn += 1) await work(turn)
  const { statistics } = profiler.stop()
  const sizeOf = ({ heapSpaceStatistics }: (typeof statistics)[number]['beforeGC']): number =>
    heapSpaceStatistics.find(({ spaceName }) => spaceName === 'old_space')?.spaceUsedSize ?? Number.NaN
  const young = statistics.filter(({ gcType }) => gcType === 'Scavenge')
  expect(young.length).toBeGreaterThan(1)
  return young.reduce((sum, { beforeGC, afterGC }) => sum + sizeOf(afterGC) - sizeOf(beforeGC), 0) / turns
}

/** Measures the minimum of three rounds: objects of earlier test files in this process are moved once, in one round. */
const measureMinimum = async (work: (turn: number) => Promise<void>): Promise<number> => {
  const rounds: number[] = []
  for (let from = 0; from < 7_500; from += 2_500) rounds.push(await measurePromoted(2_500, (turn) => work(from + turn)))
  return Math.min(...rounds)
}

// A generator function that is created for each request keeps its closure until the next full garbage collection
// (contributing/decisions/010-run-long-work-in-slices.md).
test('uploads and listings leave almost nothing that outlives a collection of young objects', async () => {
  const store = await openMemoryStore({ form: thingForm, monotonicMs: () => performance.now() })
  const limits = createLimits({})
  const { postSync, getSync } = syncOperations(store, environment, createLive(store, environment, limits))
  const schema = routes.get('/sync')?.get('POST')?.bodySchema ?? {}
  const session = { id: 'phone', userId: 'anna' } as Session
  const upload = async (from: number) => {
    const things = JSON.stringify([{ local_id: `${from}`, title: 'A thing with a title', tags: 'home work' }])
    const fields = [
      ['from', `${from}`],
      ['new_thing', things],
    ] as const
    const parameters = runToEnd(decodeParameters({ fields, spelling: 'text' }, schema, limits))
    await postSync({ parameters, session } as unknown as Call<'postSync'>)
  }
  const list = async (from: number) => {
    const { body } = await getSync({ parameters: { from }, session } as unknown as Call<'getSync'>)
    for await (const _ of renderJson(body));
  }
  for (let from = 0; from < 500; from += 1) await upload(from)
  for (let turn = 0; turn < 500; turn += 1) await list(490)

  const uploadBytes = await measureMinimum((turn) => upload(500 + turn))
  const listingBytes = await measureMinimum(() => list(7_990))

  expect(uploadBytes).toBeLessThan(1_000)
  expect(listingBytes).toBeLessThan(1_000)
}, 300_000)
