import { setTimeout as pause } from 'node:timers/promises'
import { expect, expectSame, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import { coreSection } from './core-rules.ts'

const writerNames = ['phone', 'tablet', 'desktop', 'watch']

const openWriters = async (lab: Lab): Promise<Replica[]> => {
  const writers = await Promise.all(writerNames.map((name) => lab.replica(name)))
  // Their tokens are there before the race begins.
  await Promise.all(writers.map((writer) => writer.position()))
  return writers
}

/** Follows the positions until `isOver`, and then once more; what every delta listed, ids in any order. */
const followDeltas = async (reader: Replica, start: number, isOver: () => boolean) => {
  const told = new Set<string>()
  const gone = new Set<string>()
  let from = start
  for (let last = false; ; last = isOver()) {
    const answer = await reader.sync({ from })
    for (const id of answer.changed) told.add(id)
    for (const id of answer.deleted) gone.add(id)
    from = answer.pos
    if (last) return { told, gone }
  }
}

/** Both results; when one fails the other is waited for too, because nothing may be under way when a rule is left. */
const bothOf = async <A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> => {
  const [first, second] = await Promise.allSettled([one, other])
  if (first.status === 'rejected') throw first.reason
  if (second.status === 'rejected') throw second.reason
  return [first.value, second.value]
}

const race = async <T>(reader: Replica, work: () => Promise<T>) => {
  const start = await reader.position()
  let over = false
  const working = work().finally(() => {
    over = true
  })
  const [result, seen] = await bothOf(
    working,
    followDeltas(reader, start, () => over),
  )
  return { result, ...seen }
}

/** Creates things as the judged step; their ids in the order of the titles. */
const createNow = async (writer: Replica, from: number, ...titles: readonly string[]): Promise<string[]> => {
  const answer = await writer.sync({ from, new_thing: titles.map((title) => ({ local_id: title, title })) })
  return titles.map((title) => answer.created.get(title) ?? `no id for local_id ${title}`)
}

/**
 * Steps of one client, one after the other, with short random pauses: without them clients that take equally long run
 * in step and never meet.
 */
const repeat = async <T>(lab: Lab, times: number, step: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let count = 0; count < times; count += 1) {
    await pause(lab.random() * 8)
    results.push(await step())
  }
  return results
}

/**
 * Several clients at the same moment (derived from interface 4.3: a client that follows its positions misses nothing).
 * They run alone only so that other rules do not slow the race down.
 */
export const concurrencyRules = coreSection('4.3', [
  {
    // A change becomes visible behind every position given before: a reader between two commits is the hard case.
    id: 'SYNC-RACE-01',
    title: 'MUST NOT let a reader that follows its positions miss things that others create at the same time',
    basis: 'derived',
    clauses: ['C-4.3-31'],
    faults: ['pos-before-slow-commit', 'pos-read-after-slow-listing'],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const reader = await lab.replica('laptop')
      const from = await reader.position()
      const create = (writer: Replica) => repeat(lab, 6, () => createNow(writer, from, lab.unique()))
      const { result, told } = await race(reader, () => Promise.all(writers.map(create)))
      const missing = result.flat(2).filter((id) => !told.has(id))
      const expected = 'all 24 things that 4 clients created, over the deltas that laptop read meanwhile and afterwards'
      expect(missing.length === 0, expected, `${missing.length} were in none of them: ${showValue(missing)}`)
    },
  },
  {
    id: 'SYNC-RACE-02',
    title: 'MUST NOT let a reader that follows its positions miss deletions made at the same time',
    basis: 'derived',
    clauses: ['C-4.3-31', 'C-4.3-32'],
    faults: ['parallel-deletions-lost', 'pos-before-slow-commit', 'full-keeps-deleted'],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const reader = await lab.replica('laptop')
      const ids = await reader.createMany(Array.from({ length: 12 }, () => ({})))
      const remove = (writer: Replica, place: number) =>
        repeat(lab, 3, async () => writer.remove(ids.splice(place % ids.length, 1)[0] ?? ''))
      const all = [...ids]
      const { gone } = await race(reader, () => Promise.all(writers.map(remove)))
      const missing = all.filter((id) => !gone.has(id))
      expect(
        missing.length === 0,
        'all 12 deletions by 4 clients in the deltas that laptop read',
        `missing: ${showValue(missing)}`,
      )
      const full = await reader.listAll()
      const left = all.filter((id) => full.things.has(id))
      expect(left.length === 0, 'none of the 12 deleted things in a full listing', showValue(left), full)
    },
  },
  {
    id: 'SYNC-RACE-03',
    title: 'MUST keep every one of several uploads that run at the same time',
    basis: 'derived',
    clauses: ['C-4.3-33'],
    faults: [
      'half-batch-lost',
      'parallel-creates-share-id',
      'lost-update-under-concurrency',
      'parallel-uploads-unanswered',
    ],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const titles = writers.map(() => Array.from({ length: 4 }, () => lab.unique()))
      const from = await (await lab.replica('laptop')).position()
      const create = (writer: Replica, index: number) => createNow(writer, from, ...(titles[index] ?? []))
      const ids = (await Promise.all(writers.map(create))).flat()
      const full = await (await lab.replica('laptop')).listAll()
      const listed = ids.map((id) => full.things.get(id)?.title ?? null)
      expectSame(listed, titles.flat(), 'the titles of 16 things that 4 clients created in 4 uploads at once', full)
    },
  },
  {
    id: 'SYNC-RACE-04',
    title: 'MUST keep changes of different things that run at the same time',
    basis: 'derived',
    clauses: ['C-4.3-33'],
    faults: ['lost-update-under-concurrency'],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const ids = await (await lab.replica('laptop')).createMany(writers.map(() => ({})))
      const titles = writers.map(() => lab.unique())
      await Promise.all(writers.map((writer, index) => writer.change(ids[index] ?? '', { title: titles[index] ?? '' })))
      const full = await (await lab.replica('laptop')).listAll()
      const listed = ids.map((id) => full.things.get(id)?.title ?? null)
      expectSame(listed, titles, 'the titles that 4 clients gave to 4 things at once', full)
    },
  },
  {
    // One client may have several requests under way, too; the end is one state that everybody sees.
    id: 'SYNC-RACE-05',
    title: 'MUST lead readers to the same state after several clients changed the same thing at the same time',
    basis: 'derived',
    clauses: ['C-4.3-31', 'C-4.3-33'],
    faults: ['pos-before-slow-commit'],
    alone: true,
    check: async (lab) => {
      const writers = await openWriters(lab)
      const reader = await lab.replica('laptop')
      const id = await reader.create()
      let from = await reader.position()
      let seen: unknown
      let over = false
      const change = (writer: Replica) => repeat(lab, 4, () => writer.change(id))
      const changing = Promise.all(writers.map(change)).finally(() => {
        over = true
      })
      const read = async () => {
        for (let last = false; !last; ) {
          last = over
          const answer = await reader.sync({ from })
          seen = answer.things.get(id)?.title ?? seen
          from = answer.pos
        }
      }
      await bothOf(changing, read())
      const full = await reader.listAll()
      const { title = null } = expectThing(full, id, 'laptop created it and nobody deleted it')
      expectSame(seen ?? null, title, 'the title in the deltas as in a full listing afterwards', full)
    },
  },
])
