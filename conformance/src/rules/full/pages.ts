import { expect, expectDeleted, expectSame, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Rule } from '../../rule.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: order and pages of listings (contract, sync 6). */
export const pageRules: readonly Rule[] = [
  decided({
    id: 'SYNC-ORDER-01',
    title: 'MUST list things in the order of their last change',
    section: '4.3',
    clauses: ['K-sync-6'],
    faults: ['listing-order-by-id', 'listing-order-newest-first'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const ids = await phone.createMany([{}, {}, {}, {}, {}])
      const [first = '', , third = ''] = ids
      await phone.change(third)
      await phone.change(first)
      const delta = await (await lab.replica('laptop')).sync({ from })
      const wanted = [...ids.filter((id) => id !== first && id !== third), third, first]
      expectSame(
        delta.changed.filter((id) => ids.includes(id)),
        wanted,
        'ids in the order of their last change',
        delta,
      )
    },
  }),
  decided({
    id: 'SYNC-ORDER-02',
    title: 'MUST page through the things first and the deleted ids after them',
    section: '4.3',
    clauses: ['K-sync-6'],
    faults: ['listing-deleted-first', 'paged-deleted-lost', 'full-changed-is-map', 'delta-omits-deleted'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const gone = await phone.create()
      const from = await phone.position()
      await phone.remove(gone)
      const [kept = ''] = await phone.createMany([{}])
      const first = await phone.sync({ from, limit: 1 })
      const second = await phone.sync({ from, skip: 1, limit: 1 })
      expectThing(first, kept, 'the one changed thing stands before the deleted id')
      expectDeleted(second, gone, 'the deleted id stands behind the one changed thing')
    },
  }),
  decided({
    id: 'SYNC-ZERO-01',
    title: 'MUST list nothing for limit=0 and still count',
    section: '4.3',
    clauses: ['K-sync-6'],
    faults: ['limit-zero-lists-all', 'thing-count-of-page', 'thing-count-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      await phone.createMany([{}, {}])
      const answer = await phone.sync({ from, limit: 0 })
      expectSame([answer.changed, answer.deleted], [[], []], 'changed and deleted for limit=0', answer)
      expect(
        Number(answer.json.thingCount) >= 2,
        'thingCount of at least 2, because two things were created after from',
        showValue(answer.json),
        answer,
      )
    },
  }),
  decided({
    id: 'SYNC-SNAPSHOT-01',
    title: 'MUST return the same pos with every page of one listing, and miss nothing after it',
    section: '4.3',
    clauses: ['K-sync-7'],
    faults: ['page-pos-moves', 'page-pos-goes-back', 'delta-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      await laptop.createMany([{}, {}, {}, {}])
      const first = await phone.sync({ from, limit: 2 })
      const late = await laptop.create()
      const second = await phone.sync({ from, skip: 2, limit: 10_000 })
      expectSame(second.pos, first.pos, 'pos of the second page, the same as of the first', second)
      expectThing(await phone.sync({ from: second.pos }), late, 'laptop created it after the first page')
    },
  }),
  decided({
    id: 'SYNC-SNAPSHOT-02',
    title: 'MUST list in the pages of one listing all that was there at the first page',
    section: '4.3',
    clauses: ['K-sync-7', 'C-4.3-34'],
    faults: ['page-skips-under-writes'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      const ids = await laptop.createMany([{}, {}, {}, {}])
      const first = await phone.sync({ from, limit: 2 })
      await laptop.change(ids[0] ?? '')
      await laptop.change(ids[1] ?? '')
      const second = await phone.sync({ from, skip: 2, limit: 10_000 })
      const seen = new Set([...first.changed, ...second.changed])
      const missing = ids.filter((id) => !seen.has(id))
      expectSame(missing, [], 'things created before the first page that no page lists', second)
    },
  }),
]
