import { expectSame, expectThing } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { expectError } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: new things (contract, sync 7 and 8). */
export const newThingRules: readonly Rule[] = [
  decided({
    id: 'NEW-TITLE-01',
    title: 'MUST refuse a new or changed thing without title',
    section: '4.3',
    clauses: ['K-sync-8', 'K-error-1'],
    faults: ['missing-title-accepted', 'missing-title-accepted-in-new', 'missing-title-accepted-in-change'],
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
    faults: ['title-empty-refused', 'new-map-absent', 'title-missing'],
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
    clauses: ['K-sync-8', 'K-error-1'],
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
]
