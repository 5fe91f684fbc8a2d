import { expect, expectDeleted, expectNoThing, expectSame, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Rule } from '../../rule.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: changed and deleted things (contract, sync 8 to 10). */
export const changeRules: readonly Rule[] = [
  decided({
    id: 'CHANGE-ABSENT-01',
    title: 'MUST keep fields that a changed thing leaves out',
    section: '4.3',
    clauses: ['K-sync-11'],
    faults: ['change-absent-clears'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const fields = { tags: lab.mark, date: 1_600_000_000, url: 'https://example.org/', html: '<p>kept</p>' }
      const id = await phone.create(fields)
      const from = await phone.position()
      const title = lab.unique()
      await phone.change(id, { title })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(listed, id, 'phone changed its title')
      expectSame(
        [thing.title, thing.tags, thing.date, thing.url, thing.html],
        [title, fields.tags, fields.date, fields.url, fields.html],
        'the new title, and tags, date, url and html as before',
        listed,
      )
    },
  }),
  decided({
    id: 'CHANGE-EMPTY-02',
    title: 'MUST clear url, html and tags that are changed to ""',
    section: '4.3',
    clauses: ['K-sync-11'],
    faults: ['change-empty-keeps'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({ tags: lab.mark, url: 'https://example.org/', html: '<p>gone</p>' })
      const from = await phone.position()
      await phone.sync({ from, changed_thing: [{ _id: id, title: lab.mark, tags: '', url: '', html: '' }] })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(listed, id, 'phone changed it')
      const seen = [thing.tags, Object.hasOwn(thing, 'url'), Object.hasOwn(thing, 'html')]
      expectSame(seen, ['', false, false], 'tags "", no url and no html, because they were changed to ""', listed)
    },
  }),
  decided({
    id: 'CHANGE-ARCHIVED-01',
    title: 'MUST take a changed thing without archived out of the archive',
    section: '4.3',
    clauses: ['K-sync-11'],
    faults: ['change-archived-kept'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({ archived: true })
      const from = await phone.position()
      await phone.change(id, { title: lab.mark })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(listed, id, 'phone changed it')
      expectSame(
        Object.hasOwn(thing, 'archived'),
        false,
        'whether archived is there, because the change left it out',
        listed,
      )
    },
  }),
  decided({
    id: 'CHANGE-UNKNOWN-01',
    title: 'MUST list an unknown id that was submitted as changed in things.deleted',
    section: '4.3',
    clauses: ['K-sync-12'],
    faults: ['change-unknown-not-listed', 'full-keeps-deleted', 'change-resurrects-deleted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      await laptop.remove(id)
      const answer = await phone.sync({ from: await phone.position(), changed_thing: [{ _id: id, title: lab.mark }] })
      expectDeleted(answer, id, 'phone changed it after laptop had deleted it')
      expectNoThing(await laptop.listAll(), id, 'deletion wins')
    },
  }),
  decided({
    id: 'CHANGE-UNKNOWN-02',
    title: 'MUST apply the rest of an upload that changes an unknown id',
    section: '4.3',
    clauses: ['K-sync-12'],
    faults: ['change-unknown-refused', 'form-object-ignored', 'delta-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const upload = {
        new_thing: [{ local_id: 'a', title: lab.mark }],
        changed_thing: [{ _id: lab.mark, title: lab.mark }],
      }
      const answer = await phone.sync({ from, ...upload })
      const listed = await (await lab.replica('laptop')).sync({ from })
      expectThing(
        listed,
        answer.created.get('a') ?? '(not in things.new)',
        'it was created beside the change of an unknown id',
      )
    },
  }),
  decided({
    id: 'DELETE-UNKNOWN-01',
    title: 'MUST take the deletion of an unknown or deleted id',
    section: '4.3',
    clauses: ['K-sync-13'],
    faults: ['deletion-unknown-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      await phone.remove(id)
      await phone.sync({ from: await phone.position(), deleted_thing: [id, lab.mark] })
    },
  }),
  decided({
    id: 'UPLOAD-ORDER-01',
    title: 'MUST apply one request in the order new, changed, deleted',
    section: '4.3',
    clauses: ['K-sync-14'],
    faults: ['request-order-deleted-first', 'delta-omits-deleted', 'listing-order-newest-first', 'delta-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [both = '', changed = ''] = await phone.createMany([{}, {}])
      const from = await phone.position()
      const answer = await phone.sync({
        from,
        new_thing: [{ local_id: 'a', title: lab.unique() }],
        changed_thing: [both, changed].map((id) => ({ _id: id, title: lab.unique() })),
        deleted_thing: [both],
      })
      expect(
        !answer.deleted.includes(both),
        `no ${both} in things.deleted, because it was changed first and then deleted`,
        showValue(answer.deleted),
        answer,
      )
      const delta = await (await lab.replica('laptop')).sync({ from })
      expectDeleted(delta, both, 'phone changed it and deleted it')
      const wanted = [answer.created.get('a') ?? '(not in things.new)', changed]
      expectSame(
        delta.changed.filter((id) => wanted.includes(id)),
        wanted,
        'the new thing before the changed one',
        delta,
      )
    },
  }),
]
