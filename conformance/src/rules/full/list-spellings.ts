import { expectDeleted, expectNoThing, expectSame, expectThing } from '../../expect.ts'
import type { Pair } from '../../form.ts'
import type { Rule } from '../../rule.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { post } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: how several things and ids may be given in a form (contract, requests). */
export const listSpellingRules: readonly Rule[] = [
  decided({
    id: 'FORM-INDEX-01',
    title: 'MUST take several things as name[0], name[1]',
    section: '4.3',
    clauses: ['K-request-8'],
    faults: ['form-indexed-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const things = [0, 1].map((index) => ({ local_id: index, title: lab.unique() }))
      const answer = await phone.sync({ from, new_thing: things, form: 'indexed' })
      const ids = ['0', '1'].map((localId) => answer.created.get(localId) ?? '(none)')
      await phone.sync({ from, deleted_thing: ids, form: 'indexed' })
      const listed = await (await lab.replica('laptop')).sync({ from: answer.pos })
      for (const id of ids)
        expectDeleted(listed, id, 'phone created it as new_thing[n] and deleted it as deleted_thing[n]')
    },
  }),
  decided({
    id: 'FORM-NESTED-01',
    title: 'MUST take arrays in a repeated parameter as one flat list',
    section: '4.3',
    clauses: ['K-request-8'],
    faults: ['form-nested-array-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const things = ['a', 'b', 'c'].map((localId) => ({ local_id: localId, title: lab.unique() }))
      const form: Pair[] = [
        ['from', String(await phone.position())],
        ['new_thing[]', JSON.stringify(things.slice(0, 2))],
        ['new_thing[]', JSON.stringify(things[2])],
      ]
      const answer = readSyncAnswer(await post(phone, 'sync', form), 'an upload of arrays in new_thing[]')
      expectSame([...answer.created.keys()].sort(), ['a', 'b', 'c'], 'local ids in things.new', answer)
    },
  }),
  decided({
    id: 'FORM-IDS-01',
    title: 'MUST take skip_id as a JSON array and as repeated parameters',
    section: '4.3',
    clauses: ['K-request-8'],
    faults: ['skip-id-array-ignored', 'delta-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const ids = await phone.createMany([{}, {}])
      const array: Pair[] = [['skip_id', JSON.stringify(ids)]]
      const repeated = ids.map((id): Pair => ['skip_id', id])
      for (const skipIds of [array, repeated]) {
        const answer = readSyncAnswer(
          await post(phone, 'sync', [['from', String(from)], ...skipIds]),
          'a sync with skip_id',
        )
        for (const id of ids) expectNoThing(answer, id, 'skip_id names it')
      }
      expectThing(await phone.sync({ from }), ids[0] ?? '', 'phone created it, and no skip_id names it')
    },
  }),
  decided({
    id: 'FORM-IDS-02',
    title: 'MUST take deleted_thing repeated without brackets',
    section: '4.3',
    clauses: ['K-request-8'],
    faults: ['deleted-repeated-plain-lost'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const ids = await phone.createMany([{}, {}, {}])
      const from = await phone.position()
      await post(phone, 'sync', [['from', String(from)], ...ids.map((id): Pair => ['deleted_thing', id])])
      const listed = await (await lab.replica('laptop')).sync({ from })
      for (const id of ids) expectDeleted(listed, id, 'phone deleted it as one of three deleted_thing parameters')
    },
  }),
]
