import { expect, expectDeleted, expectNoThing, expectSame, expectTag, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Rule } from '../../rule.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: what listings hold, and in which order (contract, sync 1 to 6). */
export const listingRules: readonly Rule[] = [
  decided({
    id: 'SYNC-FUTURE-01',
    title: 'MUST answer a from beyond the current position with a full listing',
    section: '4.3',
    clauses: ['K-sync-1'],
    faults: ['future-from-empty'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const answer = await phone.sync({ from: (await phone.position()) + 1_000_000_000 })
      expectThing(answer, id, 'from is beyond the current position, so all things are listed')
    },
  }),
  decided({
    id: 'SYNC-LISTING-01',
    title: 'MUST list no deleted ids in a full listing',
    section: '4.3',
    clauses: ['K-sync-2'],
    faults: ['full-lists-deleted-ids'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.remove(await phone.create())
      const listing = await (await lab.replica('laptop')).listAll()
      expectSame(listing.deleted, [], 'things.deleted of a full listing', listing)
    },
  }),
  decided({
    id: 'SYNC-LISTING-02',
    title: 'MUST list tags with a color or a todo setting in a full listing',
    section: '4.3',
    clauses: ['K-sync-17', 'C-4.3-25'],
    faults: ['full-tags-no-colored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { favorite: false, color: '#a0b1c2', todo: false })
      expectTag(await (await lab.replica('laptop')).listAll(), lab.mark, 'it has a color')
    },
  }),
  decided({
    id: 'SYNC-GONE-01',
    title: 'MUST NOT list a thing that was created and deleted after from',
    section: '4.3',
    clauses: ['K-sync-3'],
    faults: ['delta-created-and-deleted-listed'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [gone = '', kept = ''] = await phone.createMany([{}, {}])
      await phone.remove(gone)
      const delta = await (await lab.replica('laptop')).sync({ from })
      expectThing(delta, kept, 'phone created it after from')
      expectNoThing(delta, gone, 'phone deleted it again')
      expect(
        !delta.deleted.includes(gone),
        `no ${gone} in things.deleted, because it was created after from`,
        showValue(delta.deleted),
        delta,
      )
    },
  }),
  decided({
    id: 'SYNC-ECHO-01',
    title: 'MUST NOT list own uploads in things.changed of the same answer',
    section: '4.3',
    clauses: ['K-sync-4'],
    faults: ['own-uploads-echoed'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mine = await phone.create()
      const from = await phone.position()
      const theirs = await (await lab.replica('laptop')).create()
      for (const start of [from, 0]) {
        const upload = {
          new_thing: [{ local_id: lab.unique(), title: lab.mark }],
          changed_thing: [{ _id: mine, title: lab.unique() }],
        }
        const answer = await phone.sync({ from: start, ...upload })
        for (const id of [mine, ...answer.created.values()]) expectNoThing(answer, id, 'this request uploaded it')
        expectThing(answer, theirs, 'laptop created it after from')
      }
    },
  }),
  decided({
    id: 'SYNC-ECHO-02',
    title: 'MUST NOT list own deletions in things.deleted of the same answer',
    section: '4.3',
    clauses: ['K-sync-4'],
    faults: ['own-deletions-echoed'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [mine = '', theirs = ''] = await phone.createMany([{}, {}])
      const from = await phone.position()
      await (await lab.replica('laptop')).remove(theirs)
      const answer = await phone.sync({ from, deleted_thing: [mine] })
      expect(
        !answer.deleted.includes(mine),
        `no ${mine} in things.deleted, because this request deleted it`,
        showValue(answer.deleted),
        answer,
      )
      expectDeleted(answer, theirs, 'laptop deleted it after from')
    },
  }),
  decided({
    id: 'SYNC-ECHO-03',
    title: 'MUST answer submitted tag settings in full, also when nothing about them changed',
    section: '4.3',
    clauses: ['K-sync-4'],
    faults: ['submitted-tags-not-answered'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      await phone.sync({ from, tag: { [lab.mark]: { favorite: true, color: '#abcdef', todo: false } } })
      const answer = await phone.sync({ from: await phone.position(), tag: { [lab.mark]: { favorite: true } } })
      const { favorite, color, todo } = expectTag(answer, lab.mark, 'this request submitted settings of it')
      expectSame([favorite, color, todo], [true, '#abcdef', false], 'favorite, color and todo', answer)
    },
  }),
  decided({
    id: 'SYNC-SKIPID-01',
    title: 'MUST leave ids of skip_id out of thingCount',
    section: '4.3',
    clauses: ['K-sync-5'],
    faults: ['thing-count-ignores-skip-id'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [one = '', other = ''] = await phone.createMany([{}, {}, {}])
      const answer = await (await lab.replica('laptop')).sync({ from, skip_id: [one, other], method: 'POST' })
      const listed = answer.changed.length + answer.deleted.length
      expectSame(answer.json.thingCount, listed, 'thingCount, the number of things listed after skip_id', answer)
    },
  }),
  decided({
    id: 'SYNC-ORDER-01',
    title: 'MUST list things in the order of their last change',
    section: '4.3',
    clauses: ['K-sync-6'],
    faults: ['listing-order-by-id'],
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
    faults: ['listing-deleted-first'],
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
    faults: ['limit-zero-lists-all'],
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
    faults: ['page-pos-moves'],
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
