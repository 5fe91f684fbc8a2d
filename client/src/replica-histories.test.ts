import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCoreServerSend } from '../../test/support/core-server.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { type Fault, openTestReplica, shownByServer, type TestReplica } from '../../test/support/replica.ts'
import { isClientError } from './client-error.ts'
import type { ThingVersion } from './edits.ts'
import { createRandomId } from './environment.ts'
import { deleteIndexedDbStore, openIndexedDbStore } from './indexeddb.ts'
import type { Replica, ReplicaOptions } from './replica.ts'
import { keys, type ReplicaFields } from './replica-records.ts'

/** Other ones each time; `.ci/run` requests 100 of each kind, `npm run client:histories` for 1,000. */
const numRuns = Number(process.env.THINGSYNC_CLIENT_HISTORIES ?? 8)
const server = await openFileServer()

const fields = fc.record(
  {
    title: fc.constantFrom('', 'milk', 'ключ'),
    tags: fc.constantFrom('', 'home', 'home work', null),
    url: fc.constantFrom('https://a.example/', '', null),
    html: fc.constantFrom('<b>1</b>', '<b>2</b>'),
    archived: fc.boolean(),
    todoStatus: fc.boolean(),
  },
  { requiredKeys: [] },
)
const settings = fc.record(
  {
    favorite: fc.boolean(),
    color: fc.constantFrom<string | false>('#f00', '#00FF00', false),
    todo: fc.constantFrom<boolean | 'dont-strike'>(true, false, 'dont-strike'),
  },
  { requiredKeys: [] },
)
const edit = fc.oneof(
  fc.record({ create: fields }),
  { weight: 3, arbitrary: fc.record({ change: fc.nat(9), to: fields }) },
  fc.record({ remove: fc.nat(19) }),
  fc.record({ setTag: fc.constantFrom('home', 'work', '__proto__'), to: settings }),
)
const fault = fc.constantFrom<Fault>('none', 'none', 'request lost', 'response lost', 'response cut', 'crash')
const sync = fc.record({ fault, meanwhile: fc.array(edit, { maxLength: 2 }) })
const restart = fc.record({ restart: fc.constant(true) })
const signIn = fc.record({ signIn: fc.constant(true) })

type Edit = ReturnType<typeof edit.generate>['value']
type Step = Edit | ReturnType<typeof sync.generate>['value'] | { restart: boolean } | { signIn: boolean }

/**
 * Dates distinguish things, because nothing changes them: things that were created, and those that were deleted. The
 * last note that each replica gave to a thing, none like another, and what each deleted.
 */
const createBook = () => ({
  created: [] as number[],
  removed: new Set<number>(),
  notes: new Map<string, string>(),
  removedBy: new Set<string>(),
})

const pick = async (replica: Replica, which: number) => {
  const things = []
  for await (const thing of replica.listThings()) things.push(thing)
  return things[which % Math.max(1, things.length)]
}

type Book = ReturnType<typeof createBook>
let lastNote = 0

const changeThing = async (replica: Replica, { change, to }: { change: number; to: ReplicaFields }, note: Note) => {
  const thing = await pick(replica, change)
  if (thing === undefined) return
  const fields = to.html === undefined ? to : { ...to, html: `<i>${++lastNote}</i>` }
  try {
    await replica.change(thing.id, fields)
    if (fields.html !== undefined) note(thing.date, fields.html)
  } catch (error) {
    // While a sync runs, a deletion may arrive between the choice of a thing and its change.
    if (!isClientError(error, 'unknown_thing')) throw error
  }
}
type Note = (date: number, html: string | null | undefined) => void

/** A sync that runs may confirm a thing between its creation and the look at it. */
const doEdit = async (
  fixture: TestReplica,
  what: Edit,
  book: Book,
  who: number,
  { isSyncing }: { isSyncing: boolean },
): Promise<void> => {
  const replica = fixture.replica()
  const note: Note = (date, html) => {
    if (html) book.notes.set(`${who}:${date}`, html)
    else book.notes.delete(`${who}:${date}`)
  }
  if ('create' in what) {
    const date = book.created.length
    book.created.push(date)
    const id = await replica.create({ title: '', ...what.create, date })
    expect(await replica.findThing(id)).toMatchObject(isSyncing ? { date } : { date, isPending: true })
  } else if ('setTag' in what) await replica.setTag(what.setTag, what.to)
  else if ('change' in what) await changeThing(replica, what, note)
  else {
    const thing = await pick(replica, what.remove)
    if (thing === undefined) return
    await replica.remove(thing.id)
    expect(await replica.findThing(thing.id)).toBeUndefined()
    book.removed.add(thing.date)
    book.removedBy.add(`${who}:${thing.date}`)
  }
}

const take = async (fixture: TestReplica, step: Step, book: Book, who: number): Promise<void> => {
  if ('restart' in step) await fixture.restart()
  else if ('signIn' in step) await fixture.signInAgain()
  else if ('fault' in step) {
    fixture.setFault(step.fault)
    const running = fixture.sync()
    // The edits of a program that ends are lost.
    if (step.fault !== 'crash')
      for (const one of step.meanwhile) await doEdit(fixture, one, book, who, { isSyncing: true })
    await running
    fixture.setFault('none')
  } else await doEdit(fixture, step, book, who, { isSyncing: false })
}

type Steps = readonly (readonly [number, Step])[]

/** Stores for so many replicas: in memory, or in IndexedDB. */
const openStores = async (count: number, isKept: boolean) => {
  const names = Array.from({ length: isKept ? count : 0 }, createRandomId)
  const stores = await Promise.all(names.map(openIndexedDbStore))
  const remove = async () => {
    for (const { close } of stores) close()
    await Promise.all(names.map(deleteIndexedDbStore))
  }
  return { stores, remove }
}

interface Kind {
  readonly isCore?: boolean
  readonly isKept?: boolean
}

const play = async (count: number, steps: Steps, options: Partial<ReplicaOptions>, { isCore, isKept }: Kind = {}) => {
  const observer = await server.openDevice()
  const carry = isCore ? createCoreServerSend(server, observer.userName) : fetch
  const { stores, remove } = await openStores(count, isKept === true)
  const fixtures = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const store = stores[index]
      const all = store === undefined ? options : { ...options, store }
      return openTestReplica(server, observer.userName, all, carry)
    }),
  )
  const book = createBook()
  for (const [index, step] of steps) {
    const fixture = fixtures[index % count]
    if (fixture !== undefined) await take(fixture, step, book, index % count)
  }
  for (const fixture of [...fixtures, ...fixtures]) await fixture.sync()

  const shown = await shownByServer(observer)
  const contents = await Promise.all(fixtures.map(({ content }) => content()))
  const newest = await Promise.all(fixtures.map(({ replica }) => replica().listNewest(3)))
  const full = await observer.sync()
  const things = (full.things?.changed ?? []) as unknown as { date: number; html?: string; archived?: true }[]
  const dates = things.map(({ date }) => date)
  const kept = book.created.filter((date) => !book.removed.has(date))
  const lost = await Promise.all(fixtures.map(async ({ replica }) => await replica().listLostEdits()))
  const versions = await Promise.all(fixtures.map(listAllVersions))
  // The text that was typed last is there, or can be restored.
  const found = new Set(
    [...things, ...[...lost, ...versions].flat().map(({ content }) => content)].map(({ html }) => html),
  )
  const silent = [...book.notes]
    .filter(([of, note]) => !book.removedBy.has(of) && !found.has(note))
    .map(([, note]) => note)
  await remove()
  // Dates distinguish the things of a history.
  const newestDates = newest.map((some) => some.map(({ date }) => date))
  const living = things.filter(({ archived }) => !archived).map(({ date }) => date)
  const expectedDates = living.sort((a, b) => b - a).slice(0, 3)
  expect(newestDates).toEqual(fixtures.map(() => expectedDates))
  return { shown, contents, dates: dates.sort((a, b) => a - b), kept, pending: fixtures.map(countPending), silent }
}

const listAllVersions = async ({ store }: TestReplica): Promise<readonly ThingVersion[]> => {
  const versions = []
  for await (const [, value] of store.list(keys.versions(''))) versions.push(value as ThingVersion[])
  return versions.flat()
}

const countPending = ({ replica }: TestReplica) => replica().countPending()
const stepsOf = (...more: fc.Arbitrary<Step>[]) => {
  const step = fc.oneof({ weight: 6, arbitrary: edit }, { weight: 5, arbitrary: sync }, restart, ...more)
  return fc.array(fc.tuple(fc.nat(2), step as fc.Arbitrary<Step>), { minLength: 5, maxLength: 50, size: 'max' })
}

const counts = fc.integer({ min: 1, max: 3 })
const sizes = fc.record({
  entriesPerWrite: fc.constantFrom(1, 3, 400),
  batchSize: fc.constantFrom(1, 3, 200),
  pageSize: fc.constantFrom(1, 2, 5_000),
})

test('replicas that lose requests and responses, and restart, converge and create each thing once', async () => {
  await fc.assert(
    fc.asyncProperty(counts, stepsOf(), sizes, async (count, steps, options) => {
      const { shown, contents, dates, kept, pending, silent } = await play(count, steps, options)

      expect(contents).toEqual(Array(count).fill(shown))
      expect(dates).toEqual(kept)
      expect(pending).toEqual(Array(count).fill(0))
      expect(silent).toEqual([])
    }),
    { numRuns },
  )
}, 600_000)

test('replicas that are kept in IndexedDB do the same', async () => {
  await fc.assert(
    fc.asyncProperty(counts, stepsOf(), sizes, async (count, steps, options) => {
      const { shown, contents, dates, kept, pending, silent } = await play(count, steps, options, { isKept: true })

      expect(contents).toEqual(Array(count).fill(shown))
      expect(dates).toEqual(kept)
      expect(pending).toEqual(Array(count).fill(0))
      expect(silent).toEqual([])
    }),
    { numRuns: Math.ceil(numRuns / 3) },
  )
}, 600_000)

test('replicas whose session changes between attempts also converge, and lose nothing', async () => {
  await fc.assert(
    fc.asyncProperty(counts, stepsOf(signIn), sizes, fc.boolean(), async (count, steps, options, knows) => {
      const { shown, contents, dates, kept, pending, silent } = await play(count, steps, {
        ...options,
        recognizesRetries: knows,
      })

      expect(contents).toEqual(Array(count).fill(shown))
      expect(new Set(dates)).toEqual(new Set([...dates, ...kept]))
      // No other device changes a thing before it is found again.
      if (count === 1) expect(dates).toEqual(kept)
      expect(pending).toEqual(Array(count).fill(0))
      expect(silent).toEqual([])
    }),
    { numRuns },
  )
}, 600_000)

test('replicas of a server with only the specified behavior also converge, and lose nothing', async () => {
  await fc.assert(
    fc.asyncProperty(counts, stepsOf(signIn), sizes, async (count, steps, sizesOfThese) => {
      const options = { ...sizesOfThese, recognizesRetries: false }
      const { shown, contents, dates, kept, pending, silent } = await play(count, steps, options, { isCore: true })

      expect(contents).toEqual(Array(count).fill(shown))
      expect(new Set(dates)).toEqual(new Set([...dates, ...kept]))
      if (count === 1) expect(dates).toEqual(kept)
      expect(pending).toEqual(Array(count).fill(0))
      expect(silent).toEqual([])
    }),
    { numRuns },
  )
}, 600_000)
