import { expect, expectDeleted, expectNoThing, expectSame, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import { coreSection } from './core-rules.ts'

/** Deltas: things that changed since a position (interface 4.3, rules 2 and 4). */
export const deltaRules = coreSection('4.3', [
  {
    id: 'SYNC-DELTA-01',
    title: 'MUST list in a delta what another client created since',
    clauses: ['C-4.3-5', 'C-4.3-28'],
    faults: ['delta-omits-created', 'delta-own-session-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      expectThing(await laptop.sync({ from }), id, `phone created it after laptop was given ${from}`)
    },
  },
  {
    id: 'SYNC-DELTA-02',
    title: 'MUST list in a delta what another client changed since, in its new state',
    clauses: ['C-4.3-5', 'C-4.3-28'],
    faults: ['delta-omits-changed', 'change-takes-no-position', 'change-title-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const from = await laptop.position()
      const title = lab.unique()
      await phone.change(id, { title })
      const answer = await laptop.sync({ from })
      const thing = expectThing(answer, id, `phone changed it after laptop was given ${from}`)
      expectSame(thing.title, title, 'the title that phone changed it to', answer)
    },
  },
  {
    id: 'SYNC-DELTA-03',
    title: 'MUST list in things.deleted of a delta what another client deleted since',
    clauses: ['C-4.3-24', 'C-4.3-30'],
    faults: ['delta-omits-deleted', 'deletion-takes-no-position', 'delta-deleted-as-objects'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const from = await laptop.position()
      await phone.remove(id)
      expectDeleted(await laptop.sync({ from }), id, `phone deleted it after laptop was given ${from}`)
    },
  },
  {
    // Only changes since the position: neither things nor deletions from before it.
    id: 'SYNC-DELTA-04',
    title: 'MUST NOT list in a delta what did not change since',
    clauses: ['C-4.3-5'],
    faults: ['delta-lists-all', 'delta-lists-all-and-deleted', 'deletion-keeps-in-delta', 'delta-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [kept = '', gone = ''] = await phone.createMany([{}, {}])
      await phone.remove(gone)
      await phone.create()
      const from = await laptop.position()
      const later = await phone.create()
      const answer = await laptop.sync({ from })
      expectThing(answer, later, `phone created it after laptop was given ${from}`)
      expectNoThing(answer, kept, `phone created it before laptop was given ${from} and nobody changed it`)
      const told = answer.things.has(gone) || answer.deleted.includes(gone)
      expect(!told, `nothing about ${gone}, deleted before laptop was given ${from}`, 'it is listed', answer)
    },
  },
  {
    // The answer's own position is behind everything that it lists.
    id: 'SYNC-DELTA-05',
    title: 'MUST NOT list a change again from the position that came with it',
    clauses: ['C-4.3-5', 'C-4.3-31'],
    faults: [
      'delta-repeats-boundary',
      'delta-repeats-last-change',
      'delta-repeats-last-deletion',
      'delta-omits-created',
      'delta-omits-deleted',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const gone = await phone.create()
      const from = await laptop.position()
      const id = await phone.create()
      const first = await laptop.sync({ from })
      expectThing(first, id, `phone created it after laptop was given ${from}`)
      const second = await laptop.sync({ from: first.pos })
      expectNoThing(second, id, `laptop was told of it with position ${first.pos} and nobody changed it since`)
      await phone.remove(gone)
      const third = await laptop.sync({ from: second.pos })
      expectDeleted(third, gone, `phone deleted it after laptop was given ${second.pos}`)
      const fourth = await laptop.sync({ from: third.pos })
      const again = fourth.deleted.includes(gone)
      expect(!again, `${gone} not in things.deleted again from ${third.pos}`, 'it is listed again', fourth)
    },
  },
  {
    id: 'SYNC-DELTA-06',
    title: 'MUST list a thing once in a delta, in its latest state, however often it changed',
    clauses: ['C-4.3-28'],
    basis: 'derived',
    faults: ['delta-lists-twice', 'delta-first-state'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      await phone.change(id)
      const title = lab.unique()
      await phone.change(id, { title })
      const answer = await laptop.sync({ from })
      expectSame(expectThing(answer, id, 'phone changed it').title, title, 'the title of the last change', answer)
      const times = answer.changed.filter((listed) => listed === id).length
      expect(times === 1, `thing ${id} listed once`, `it is listed ${times} times`, answer)
    },
  },
  {
    id: 'SYNC-DELTA-07',
    title: 'MUST list archived things in a delta',
    clauses: ['C-4.3-5'],
    faults: ['delta-omits-archived'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const title = lab.unique()
      const id = await phone.create({ title })
      const from = await laptop.position()
      await phone.change(id, { title, archived: true })
      expectThing(await laptop.sync({ from }), id, `phone archived it after laptop was given ${from}`)
    },
  },
  {
    // A position is all that the server knows of a client: asking again, from anywhere, gives the same.
    id: 'SYNC-DELTA-08',
    title: 'MUST answer the same position in the same way to every session, and again',
    clauses: ['C-2.3-1', 'C-4.3-5'],
    basis: 'derived',
    faults: ['delta-consumed-by-first-reader', 'delta-session-cursor', 'pos-per-session'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      for (const reader of [laptop, laptop, await lab.replica('tablet'), await lab.replica('desktop')]) {
        const because = `phone created it after position ${from}, whoever else has already read it`
        expectThing(await reader.sync({ from }), id, because)
      }
    },
  },
  {
    id: 'SYNC-DELTA-09',
    title: 'MUST list everything that changed since, also from a position that is many changes old',
    clauses: ['C-4.3-5'],
    faults: ['delta-log-keeps-ten'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const ids = await phone.createMany(Array.from({ length: 15 }, () => ({})))
      for (let count = 0; count < 15; count += 1) ids.push(await phone.create())
      const answer = await laptop.sync({ from })
      const missing = ids.filter((id) => !answer.things.has(id))
      const expected = `all 30 things that phone created after laptop was given ${from}`
      expect(missing.length === 0, expected, `${missing.length} are missing: ${showValue(missing.slice(0, 5))}`, answer)
    },
  },
  {
    id: 'SYNC-DELTA-10',
    title: 'MUST list a thing that was changed and then deleted as deleted only, and once',
    clauses: ['C-4.3-30'],
    basis: 'derived',
    faults: ['delta-deleted-also-changed', 'delta-deleted-twice', 'delta-omits-deleted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const from = await laptop.position()
      await phone.change(id)
      await phone.remove(id)
      const answer = await laptop.sync({ from })
      expectNoThing(answer, id, 'phone deleted it after changing it')
      const times = answer.deleted.filter((listed) => listed === id).length
      expect(
        times === 1,
        `${id} once in things.deleted, because phone deleted it after laptop was given ${from}`,
        `it is there ${times} times`,
        answer,
      )
    },
  },
])
