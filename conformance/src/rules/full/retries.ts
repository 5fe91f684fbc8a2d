import { expect, expectSame, expectThing } from '../../expect.ts'
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
]
