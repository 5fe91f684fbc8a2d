import { expect, expectCreated, expectSame, expectThing } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: uploads that are sent again (contract, sync 7). */
export const retryRules: readonly Rule[] = [
  decided({
    id: 'RETRY-NEW-01',
    title: 'MUST answer a repeated upload from the same position with the same _id and no duplicate',
    section: '4.3',
    clauses: ['K-sync-9'],
    faults: ['retry-duplicates', 'retry-other-id', 'upload-twice-applied'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      const upload = { from, new_thing: [{ local_id: 'a', title: lab.mark }] }
      const first = await phone.sync(upload)
      const second = await phone.sync(upload)
      expectSame(
        expectCreated(second, 'a'),
        expectCreated(first, 'a'),
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
      const title = lab.unique()
      const first = await phone.sync({ from, new_thing: [{ local_id: 'a', title, html: 'one', tags: lab.mark }] })
      await phone.sync({ from, new_thing: [{ local_id: 'a', title, html: 'two' }] })
      const delta = await (await lab.replica('laptop')).sync({ from })
      const { html, tags } = expectThing(delta, first.created.get('a') ?? '(not in things.new)', 'phone created it')
      expectSame([html, tags], ['two', lab.mark], 'html of the repeated upload, tags as before', delta)
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
      const upload = { from, new_thing: [{ local_id: lab.mark, title: lab.mark }] }
      const first = await phone.sync(upload)
      const second = await laptop.sync(upload)
      const ids = [expectCreated(first, lab.mark), expectCreated(second, lab.mark)]
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
      const ids = [expectCreated(first, lab.mark), expectCreated(second, lab.mark)]
      expect(ids[0] !== ids[1], 'another _id, because neither request had a from', `both were given ${ids[0]}`, second)
    },
  }),
  decided({
    id: 'RETRY-SAME-01',
    title: 'MUST take a repeated local_id with the same url or the same given date for a retry',
    section: '4.3',
    clauses: ['K-sync-9'],
    faults: ['retry-by-title-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      for (const same of [{ url: `https://example.org/${lab.mark}` }, { date: 1_600_000_000 }]) {
        const localId = lab.unique()
        const first = await phone.sync({ from, new_thing: [{ local_id: localId, title: lab.unique(), ...same }] })
        const title = lab.unique()
        const second = await phone.sync({ from, new_thing: [{ local_id: localId, title, ...same }] })
        const id = expectCreated(first, localId)
        const because = `the _id of the first answer, because ${Object.keys(same)} is the same`
        expectSame(second.created.get(localId), id, because, second)
        const delta = await (await lab.replica('laptop')).sync({ from })
        expectSame(expectThing(delta, id, 'phone created it').title, title, 'the title of the repeated upload', delta)
      }
    },
  }),
  decided({
    // Clients that only upload send from=0 always and count their local ids from 1.
    id: 'RETRY-OTHER-01',
    title: 'MUST give a repeated local_id with another title, url and date an _id of its own, and overwrite nothing',
    section: '4.3',
    clauses: ['K-sync-10'],
    faults: ['retry-whatever-comes'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [one, two] = [lab.unique(), lab.unique()]
      const upload = (title: string) => ({ limit: 0, from: 0, new_thing: [{ local_id: lab.mark, title }] })
      const first = expectCreated(await phone.sync(upload(one)), lab.mark)
      const answer = await phone.sync(upload(two))
      const second = expectCreated(answer, lab.mark)
      expect(
        first !== second,
        `another _id than ${first}, because nothing but the local_id is the same`,
        'it came',
        answer,
      )
      const delta = await (await lab.replica('laptop')).sync({ from })
      const titles = [first, second].map((id) => delta.things.get(id)?.title ?? null)
      expectSame(titles, [one, two], 'the titles of both things', delta)
    },
  }),
  decided({
    id: 'RETRY-SEEN-01',
    title: 'MUST take a repeated local_id for a new thing after the session has sent a later from',
    section: '4.3',
    clauses: ['K-sync-10'],
    faults: ['retry-remembered-forever'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const upload = { limit: 0, from: 0, new_thing: [{ local_id: lab.mark, title: lab.mark }] }
      const first = await phone.sync(upload)
      await phone.sync({ from: first.pos })
      const second = await phone.sync(upload)
      const ids = [expectCreated(first, lab.mark), expectCreated(second, lab.mark)]
      expect(
        ids[0] !== ids[1],
        `another _id, because phone has meanwhile asked from ${first.pos} and so has seen the first answer`,
        `both were given ${ids[0]}`,
        second,
      )
    },
  }),
  decided({
    id: 'RETRY-SEEN-02',
    title: 'MUST take a repeated local_id for a new thing after the session has named the thing by its _id',
    section: '4.3',
    clauses: ['K-sync-10'],
    faults: ['retry-remembered-after-use'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const isChange of [true, false]) {
        const localId = lab.unique()
        const upload = { limit: 0, from: 0, new_thing: [{ local_id: localId, title: lab.mark }] }
        const first = expectCreated(await phone.sync(upload), localId)
        const use = isChange ? { changed_thing: [{ _id: first, title: lab.mark }] } : { deleted_thing: [first] }
        await phone.sync({ limit: 0, from: 0, ...use })
        const answer = await phone.sync(upload)
        const second = expectCreated(answer, localId)
        const because = `because phone has named it in ${Object.keys(use)}`
        expect(first !== second, `another _id than ${first}, ${because}`, 'it came', answer)
      }
    },
  }),
]
