import { expectNoThing, expectSame, expectThing } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { expectError } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: a GET uploads nothing (contract, requests). */
export const uploadByGetRules: readonly Rule[] = [
  decided({
    id: 'FORM-GET-01',
    title: 'MUST refuse an upload parameter in a GET',
    section: '4.3',
    clauses: ['K-request-5'],
    faults: ['get-upload-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const uploads = [
        ['new_thing', JSON.stringify({ local_id: lab.unique(), title: lab.mark })],
        ['new_thing[]', JSON.stringify({ local_id: lab.unique(), title: lab.mark })],
        ['deleted_thing', lab.unique()],
        [`tag[${lab.unique()}]`, '{"favorite":true}'],
      ] as const
      for (const upload of uploads) {
        const reply = await phone.send({ path: 'sync', query: [['limit', '1'], upload] })
        expectError(reply, 400, 'parameter_invalid', `${upload[0]} belongs to POST`)
      }
      await phone.create()
    },
  }),
  decided({
    // Not an upload: it only narrows what is listed.
    id: 'FORM-GET-03',
    title: 'MUST take skip_id in a GET',
    section: '4.3',
    clauses: ['K-request-5'],
    faults: ['get-skip-id-refused', 'skip-id-array-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [left = '', kept = ''] = await phone.createMany([{}, {}])
      const listed = await phone.sync({ from, skip_id: [left, lab.unique()], method: 'GET' })
      expectThing(listed, kept, 'only the other one was named in skip_id')
      expectNoThing(listed, left, 'it was named in skip_id')
    },
  }),
  decided({
    id: 'FORM-GET-02',
    title: 'MUST change nothing by GET',
    section: '4.3',
    clauses: ['K-request-5'],
    faults: ['get-upload-applied'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [kept, made] = [lab.unique(), lab.unique()]
      const id = await phone.create({ title: kept })
      const thing = JSON.stringify({ local_id: lab.unique(), title: made })
      for (const upload of [
        ['new_thing', thing],
        ['deleted_thing', id],
      ] as const) {
        await phone.send({ path: 'sync', query: [['limit', '1'], upload] })
      }
      const listing = await phone.listAll()
      const titles = [...listing.things.values()].map(({ title }) => title)
      const seen = [titles.includes(kept), titles.includes(made)]
      expectSame(
        seen,
        [true, false],
        'the thing that a GET tried to delete there, the one it tried to create not',
        listing,
      )
    },
  }),
]
