import { showValue } from '../encoding.ts'
import { expect, expectDeleted, expectNoThing, expectSame, expectThing } from '../expect.ts'
import { asSetup } from '../result.ts'
import { coreRulesOf } from '../rule.ts'
import type { ThingFields } from '../sync-messages.ts'

/** Deletions, and data that must not come back (interface 2.1, 4.3). */
export const deletionRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-DELETE-01',
    title: 'MUST delete the thing whose plain _id is given as deleted_thing, and no other',
    requirements: ['C-2.1-12', 'C-4.3-12'],
    faults: [
      'deletion-ignored',
      'deletion-archives',
      'deletion-of-one-deletes-all',
      'deleted-plain-ignored',
      'deletion-told-of-all',
      'full-keeps-deleted',
      'incremental-omits-deleted',
      'deletion-takes-no-position',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [id = '', other = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      await phone.sync({ from, deleted_thing: [id] })
      const incremental = await laptop.sync({ from })
      expectDeleted(incremental, id, 'phone deleted it')
      expect(!incremental.deleted.includes(other), `${other} not in things.deleted`, 'it is there', incremental)
      const full = await laptop.listAll()
      expectNoThing(full, id, 'phone deleted it')
      expectThing(full, other, 'phone created it and deleted another thing')
    },
  },
  {
    id: 'SYNC-DELETE-02',
    title: 'MUST delete several things given as one JSON array',
    requirements: ['C-4.3-15', 'C-4.3-12'],
    faults: ['deleted-array-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const ids = await phone.createMany([{}, {}, {}])
      const from = await laptop.position()
      await phone.sync({ from, deleted_thing: ids, form: 'array' })
      const response = await laptop.sync({ from })
      for (const id of ids) expectDeleted(response, id, 'phone deleted it, with others in one JSON array')
    },
  },
  {
    id: 'SYNC-DELETE-03',
    title: 'MUST delete several things given as repeated deleted_thing[]',
    requirements: ['C-4.3-16', 'C-4.3-12'],
    faults: ['deleted-repeated-last-only', 'deleted-repeated-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const ids = await phone.createMany([{}, {}, {}])
      const from = await laptop.position()
      await phone.sync({ from, deleted_thing: ids, form: 'repeated' })
      const response = await laptop.sync({ from })
      for (const id of ids) expectDeleted(response, id, 'phone deleted it, with others as deleted_thing[]')
    },
  },
  {
    // A client may be away for a long time: its position is older than the deletion and than many writes and reads.
    id: 'SYNC-DELETE-04',
    title: 'MUST list a deletion for every client, however much was written and read since',
    basis: 'implied',
    requirements: ['C-4.3-32'],
    faults: ['tombstone-forgotten-after-next-write', 'tombstone-told-once'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const tablet = await lab.replica('tablet')
      const id = await phone.create()
      const from = await laptop.position()
      await phone.remove(id)
      expectDeleted(await tablet.sync({ from }), id, 'phone deleted it')
      const other = await phone.create()
      await phone.change(other)
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      await phone.remove(other)
      await tablet.listAll()
      expectDeleted(await laptop.sync({ from }), id, `phone deleted it after ${from}; laptop was away meanwhile`)
    },
  },
  {
    // A late client changes a deleted thing. The interface does not say which wins: restoring the thing for all
    // clients is permitted.
    id: 'SYNC-DELETE-10',
    title: 'SHOULD NOT bring a deleted thing back when a late client changes it',
    basis: 'implied',
    requirements: ['C-4.3-37'],
    faults: ['change-resurrects-deleted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [id = '', existing = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      await phone.remove(id)
      const change = (changed: string, title: string) =>
        laptop.trySync({ from, changed_thing: [{ _id: changed, title }] })
      await asSetup('the same change of a thing that lives', () => laptop.change(existing))
      await change(id, lab.unique())
      expectNoThing(await phone.listAll(), id, 'phone had deleted it before laptop changed it')
    },
  },
  {
    id: 'SYNC-DELETE-11',
    title: 'MUST NOT make another thing of a late change of a deleted one',
    basis: 'implied',
    requirements: ['C-4.3-32'],
    faults: ['late-change-creates-copy'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const from = await laptop.position()
      await phone.remove(id)
      const title = lab.unique()
      await laptop.trySync({ from, changed_thing: [{ _id: id, title }] })
      const full = await phone.listAll()
      const copies = [...full.things.values()].filter((thing) => thing.title === title && thing._id !== id)
      expect(copies.length === 0, `no thing with the title of that change`, showValue(copies), full)
    },
  },
  {
    // An ID that the server never assigned names nothing. An error or no error are both correct, a new thing is not.
    id: 'SYNC-DELETE-06',
    title: 'MUST NOT create a thing from a change of an unknown _id',
    basis: 'implied',
    requirements: ['C-2.1-11', 'C-4.3-32'],
    faults: ['change-unknown-creates'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const known = await laptop.create()
      await asSetup('the same change of a thing that there is', () => laptop.change(known))
      const title = lab.unique()
      await laptop.trySync({ from, changed_thing: [{ _id: lab.mark, title }] })
      const response = await laptop.sync({ from })
      const created = [...response.things.values()].filter((thing) => thing.title === title)
      expect(
        created.length === 0,
        'no thing from the change of an _id that was never given',
        showValue(created),
        response,
      )
    },
  },
  {
    // After a lost response the client sends the request again: with any response, nothing else may be harmed.
    id: 'SYNC-DELETE-07',
    title: 'MUST take no harm from a deletion that is sent again',
    basis: 'implied',
    requirements: ['C-4.3-35'],
    faults: ['deletion-of-one-deletes-all', 'deletion-ignored', 'full-keeps-deleted', 'incremental-omits-deleted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const title = lab.unique()
      const [id = '', other = ''] = await phone.createMany([{}, { title }])
      const from = await laptop.position()
      await phone.remove(id)
      await phone.trySync({ from, deleted_thing: [id] })
      const full = await laptop.listAll()
      expectNoThing(full, id, 'phone deleted it, twice')
      expectSame(expectThing(full, other, 'phone did not delete it').title, title, 'its title as created', full)
      expectDeleted(await laptop.sync({ from }), id, 'phone deleted it, twice')
    },
  },
  {
    id: 'SYNC-DELETE-08',
    title: 'MUST NOT bring a deleted thing back when something else is written',
    basis: 'implied',
    requirements: ['C-4.3-32'],
    faults: ['deletion-undone-by-tag-write'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create({ tags: lab.mark })
      await phone.remove(id)
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: true })
      await phone.create({ tags: lab.mark })
      expectNoThing(await laptop.listAll(), id, 'phone deleted it and wrote other things since')
    },
  },
  {
    // Clients store data under the ID: an ID with another meaning later mixes two things up.
    id: 'SYNC-DELETE-09',
    title: 'MUST NOT give the _id of a deleted thing to a new one',
    basis: 'implied',
    requirements: ['C-2.1-10', 'C-4.3-32'],
    faults: ['id-reused-after-deletion'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const ids = await phone.createMany([{}, {}])
      await phone.remove(...ids)
      const next = await phone.createMany([{}, {}])
      const reused = next.filter((id) => ids.includes(id))
      expect(reused.length === 0, `ids other than the deleted ${ids.join(', ')}`, `${reused.join(', ')} came again`)
    },
  },
  {
    id: 'SYNC-DELETE-12',
    title: 'MUST delete any thing and list its deletion: archived, a todo, done, with every field or none',
    requirements: ['C-4.3-12', 'C-4.3-24', 'C-4.3-30'],
    faults: [
      'archived-never-deleted',
      'todos-never-deleted',
      'archived-deletion-untold',
      'bare-deletion-untold',
      'archived-stays-in-full',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: true })
      const all = { tags: `a ${lab.mark}`, date: 1_234_567_890, url: 'http://example.com/', html: '<p>a</p>' }
      const kinds: readonly (readonly [string, ThingFields])[] = [
        ['archived', { archived: true }],
        ['an open todo', { tags: lab.mark, todoStatus: false }],
        ['a todo that is done', { tags: lab.mark, todoStatus: true }],
        ['everything', { ...all, todoStatus: true, archived: true }],
        ['nothing but a title', {}],
      ]
      const ids = await phone.createMany(kinds.map(([, fields]) => fields))
      const from = await laptop.position()
      await phone.remove(...ids)
      const [incremental, full] = [await laptop.sync({ from }), await laptop.listAll()]
      for (const [index, id] of ids.entries()) {
        const because = `phone deleted it, which was ${kinds[index]?.[0]}`
        expectDeleted(incremental, id, because)
        expectNoThing(full, id, because)
      }
    },
  },
])
