import { expect, expectDeleted, expectNoThing, expectSame, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Rule } from '../../rule.ts'
import { expectError } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: new, changed and deleted things (contract, sync 7 to 10). */
export const uploadRules: readonly Rule[] = [
  decided({
    id: 'NEW-TITLE-01',
    title: 'MUST refuse a new or changed thing without title',
    section: '4.3',
    clauses: ['K-sync-8', 'K-error-1'],
    faults: ['missing-title-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const from = await phone.position()
      const created = await phone.trySync({ from, new_thing: [{ local_id: lab.unique(), tags: lab.mark }] })
      expectError(created, 400, 'parameter_invalid', 'the new thing has no title')
      const changed = await phone.trySync({ from, changed_thing: [{ _id: id, tags: lab.mark }] })
      expectError(changed, 400, 'parameter_invalid', 'the changed thing has no title')
    },
  }),
  decided({
    id: 'NEW-TITLE-02',
    title: 'MUST take an empty title',
    section: '2.1',
    clauses: ['K-sync-15'],
    faults: ['title-empty-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const answer = await phone.sync({ from, new_thing: [{ local_id: 'a', title: '', tags: lab.mark }] })
      const listed = await (await lab.replica('laptop')).sync({ from })
      expectSame(
        expectThing(listed, answer.created.get('a') ?? '(not in things.new)', 'phone created it').title,
        '',
        'the title as sent',
        listed,
      )
    },
  }),
  decided({
    id: 'NEW-LOCAL-01',
    title: 'MUST refuse a new thing without local_id',
    section: '4.3',
    clauses: ['K-sync-8', 'K-error-1'],
    faults: ['missing-local-id-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      expectError(
        await phone.trySync({ from, new_thing: [{ title: lab.mark }] }),
        400,
        'parameter_invalid',
        'it has no local_id',
      )
      await phone.sync({ from, new_thing: [{ local_id: lab.mark, title: lab.mark }] })
    },
  }),
  decided({
    id: 'NEW-LOCAL-02',
    title: 'MUST refuse new things that share a local_id in one request',
    section: '4.3',
    clauses: ['K-sync-8', 'K-error-1', 'C-4.3-17'],
    faults: ['shared-local-id-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const things = [1, '1'].map((localId) => ({ local_id: localId, title: lab.unique() }))
      expectError(
        await phone.trySync({ from, new_thing: things }),
        400,
        'parameter_invalid',
        'local_id 1 is used twice',
      )
      await phone.createMany([{}, {}])
    },
  }),
  decided({
    id: 'RETRY-NEW-01',
    title: 'MUST answer a repeated upload from the same position with the same _id and no duplicate',
    section: '4.3',
    clauses: ['K-sync-9'],
    faults: ['retry-duplicates'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      const upload = { from, new_thing: [{ local_id: 'a', title: lab.mark }] }
      const first = await phone.sync(upload)
      const second = await phone.sync(upload)
      expectSame(
        second.created.get('a'),
        first.created.get('a'),
        'the _id of the first answer, because session, from and local_id are the same',
        second,
      )
      const delta = await (await lab.replica('laptop')).sync({ from })
      const mine = [...delta.things.values()].filter((thing) => thing.title === lab.mark)
      expectSame(mine.length, 1, 'things with the title of the repeated upload', delta)
    },
  }),
  decided({
    id: 'RETRY-NEW-02',
    title: 'MUST apply the fields of a repeated upload as a change',
    section: '4.3',
    clauses: ['K-sync-9'],
    faults: ['retry-fields-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      const first = await phone.sync({ from, new_thing: [{ local_id: 'a', title: lab.unique() }] })
      const title = lab.unique()
      await phone.sync({ from, new_thing: [{ local_id: 'a', title }] })
      const delta = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(delta, first.created.get('a') ?? '', 'phone created it')
      expectSame(thing.title, title, 'the title of the repeated upload', delta)
    },
  }),
  decided({
    id: 'RETRY-NEW-03',
    title: 'MUST NOT take the local_id of another session for a retry',
    section: '4.3',
    clauses: ['K-sync-9'],
    faults: ['retry-other-session'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await phone.create()
      const from = await phone.position()
      const first = await phone.sync({ from, new_thing: [{ local_id: lab.mark, title: lab.unique() }] })
      const second = await laptop.sync({ from, new_thing: [{ local_id: lab.mark, title: lab.unique() }] })
      const ids = [first.created.get(lab.mark), second.created.get(lab.mark)]
      expect(
        ids[0] !== ids[1],
        'another _id, because laptop has a session of its own',
        `both were given ${ids[0]}`,
        second,
      )
    },
  }),
  decided({
    id: 'RETRY-NEW-04',
    title: 'MUST create another thing for a repeated local_id without from',
    section: '4.3',
    clauses: ['K-sync-10'],
    faults: ['retry-without-from'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const upload = { new_thing: [{ local_id: lab.mark, title: lab.mark }], limit: 0 }
      const first = await phone.sync(upload)
      const second = await phone.sync(upload)
      const ids = [first.created.get(lab.mark), second.created.get(lab.mark)]
      expect(ids[0] !== ids[1], 'another _id, because neither request had a from', `both were given ${ids[0]}`, second)
    },
  }),
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
    id: 'CHANGE-EMPTY-01',
    title: 'MUST clear url, html and tags that are changed to "" or null',
    section: '4.3',
    clauses: ['K-sync-11'],
    faults: ['change-empty-keeps'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const empty of ['', null]) {
        const id = await phone.create({ tags: lab.mark, url: 'https://example.org/', html: '<p>gone</p>' })
        const from = await phone.position()
        await phone.sync({ from, changed_thing: [{ _id: id, title: lab.mark, tags: empty, url: empty, html: empty }] })
        const listed = await (await lab.replica('laptop')).sync({ from })
        const thing = expectThing(listed, id, 'phone changed it')
        const seen = [thing.tags, Object.hasOwn(thing, 'url'), Object.hasOwn(thing, 'html')]
        expectSame(seen, ['', false, false], `tags "", no url and no html after ${JSON.stringify(empty)}`, listed)
      }
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
    faults: ['change-unknown-not-listed'],
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
    faults: ['change-unknown-refused'],
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
    faults: ['request-order-deleted-first'],
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
