import { expect, expectDeleted, expectNoThing, expectSame, expectThing } from '../../expect.ts'
import { isObject, showValue } from '../../json.ts'
import type { Replica } from '../../replica.ts'
import type { SyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

const expectCount = (answer: SyncAnswer): void => {
  const listed = answer.changed.length + answer.deleted.length
  expectSame(answer.json.thingCount, listed, 'thingCount as the number of things listed as changed or deleted', answer)
}

/** Whether `skip_id` with both ids leaves both out, in one of the ways in which several may be sent. */
const skipsBoth = async (replica: Replica, from: number, ids: readonly string[]): Promise<boolean> => {
  for (const form of ['array', 'repeated'] as const) {
    const reply = await replica.trySync({ from, skip_id: ids, form, method: 'POST' })
    const things = isObject(reply.json?.things) ? reply.json.things : {}
    const listed = JSON.stringify([things.changed, things.deleted])
    if (reply.error === undefined && !ids.some((id) => listed.includes(JSON.stringify(id)))) return true
  }
  return false
}

/** thingCount and skip_id (interface 4.3). */
export const countRules = coreSection('4.3', [
  {
    id: 'SYNC-COUNT-01',
    title: 'MUST give thingCount as the number of things listed in a full listing',
    clauses: ['C-4.3-19'],
    faults: ['thing-count-missing', 'thing-count-text'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      await laptop.create()
      expectCount(await laptop.listAll())
    },
  },
  {
    id: 'SYNC-COUNT-02',
    title: 'MUST give thingCount as the number of things listed in a delta, deletions included',
    clauses: ['C-4.3-19'],
    faults: ['thing-count-without-deleted', 'thing-count-total', 'delta-omits-deleted', 'deletion-takes-no-position'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [gone = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      await phone.createMany([{}, {}])
      await phone.remove(gone)
      const answer = await laptop.sync({ from })
      expectDeleted(answer, gone, `phone deleted it after ${from}`)
      expectCount(answer)
    },
  },
  {
    id: 'SYNC-SKIPID-01',
    title: 'MUST leave out of things.changed the thing given as skip_id, and no other',
    clauses: ['C-4.3-14'],
    faults: ['skip-id-ignored', 'delta-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const [skipped = '', other = ''] = await phone.createMany([{}, {}])
      const answer = await laptop.sync({ from, skip_id: [skipped], method: 'POST' })
      expectNoThing(answer, skipped, 'it was given as skip_id')
      expectThing(answer, other, 'phone created it and it is not given as skip_id')
    },
  },
  {
    id: 'SYNC-SKIPID-02',
    title: 'MUST leave out of things.deleted the id given as skip_id, and no other',
    clauses: ['C-4.3-14'],
    faults: ['skip-id-not-deleted', 'delta-omits-deleted', 'deleted-array-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [skipped = '', other = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      await phone.remove(skipped, other)
      const answer = await laptop.sync({ from, skip_id: [skipped], method: 'POST' })
      expectDeleted(answer, other, 'phone deleted it and it is not given as skip_id')
      const listed = answer.deleted.includes(skipped)
      expect(
        !listed,
        `${skipped} not in things.deleted, because it was given as skip_id`,
        showValue(answer.deleted),
        answer,
      )
    },
  },
  {
    // In which form several ids come is not shown for skip_id; one of the two forms of the uploads has to work.
    id: 'SYNC-SKIPID-03',
    title: 'MUST leave out several things given as skip_id',
    clauses: ['C-4.3-14', 'C-4.3-15'],
    basis: 'derived',
    faults: ['skip-id-first-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const ids = await phone.createMany([{}, {}])
      const skipped = await skipsBoth(laptop, from, ids)
      const expected = `neither of ${ids.join(', ')}, given as one JSON array or as skip_id[]`
      expect(skipped, expected, 'at least one of them is listed with both forms')
    },
  },
])
