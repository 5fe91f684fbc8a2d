import { GCProfiler } from 'node:v8'
import { expect, test } from 'vitest'
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
import { createRoutes } from './routes.ts'

/** Bytes that each turn of some work leaves behind: collections of young objects had to move them to the old ones. */
const measureLeft = async (turns: number, work: (turn: number) => Promise<void>): Promise<number> => {
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

/** The least of three rounds. Test files before this one share the process: their objects are moved once, in one round. */
const measureLeast = async (work: (turn: number) => Promise<void>): Promise<number> => {
  const rounds: number[] = []
  for (let from = 0; from < 7_500; from += 2_500) rounds.push(await measureLeft(2_500, (turn) => work(from + turn)))
  return Math.min(...rounds)
}

// A generator function that is made anew for each request keeps all that it knows until the next collection of everything
// (docs/architecture.md): 7 KB of an upload, which collections copied.
test('uploads and listings leave next to nothing behind that outlives a collection of young objects', async () => {
  const store = await openMemoryStore({ form: thingForm, elapsed: () => performance.now() })
  const limits = createLimits({})
  const { postSync, getSync } = syncOperations(store, environment, createLive(store, environment, limits))
  const schema = (await createRoutes()).get('/sync')?.get('POST')?.bodySchema ?? {}
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

  const ofUpload = await measureLeast((turn) => upload(500 + turn))
  const ofListing = await measureLeast(() => list(7_990))

  expect(ofUpload).toBeLessThan(1_000)
  expect(ofListing).toBeLessThan(1_000)
}, 300_000)
