import { expectDeleted, expectNoThing, expectSame, expectTag, expectThing } from '../../expect.ts'
import type { Pair } from '../../form.ts'
import type { Rule } from '../../rule.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { expectError, post } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: how values, lists and tag settings may be spelled in a form (contract, requests). */
export const spellingRules: readonly Rule[] = [
  decided({
    id: 'FORM-BOOLEAN-01',
    title: 'MUST take true, false, 1 and 0 as booleans, quoted or not, in any letter case',
    section: '4.3',
    clauses: ['K-request-6'],
    faults: ['boolean-text-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const spellings = [true, 1, 'true', '1', 'TRUE', 'True', false, 0, 'false', '0', 'FALSE']
      const things = spellings.map((archived, index) => ({ local_id: index, title: lab.unique(), archived }))
      const answer = await phone.sync({ from, new_thing: things })
      const listed = await (await lab.replica('laptop')).sync({ from })
      for (const [index, archived] of spellings.entries()) {
        const thing = expectThing(
          listed,
          answer.created.get(String(index)) ?? '',
          `phone created it with archived ${JSON.stringify(archived)}`,
        )
        expectSame(thing.archived === true, index < 6, `archived, submitted as ${JSON.stringify(archived)}`, listed)
      }
    },
  }),
  decided({
    id: 'FORM-BOOLEAN-02',
    title: 'MUST refuse any other spelling of a boolean',
    section: '4.3',
    clauses: ['K-request-6', 'K-error-1'],
    faults: ['bad-boolean-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const archived of ['yes', 2, '', [], 'nul']) {
        const thing = { local_id: lab.unique(), title: lab.mark, archived }
        const reply = await phone.trySync({ from: await phone.position(), new_thing: [thing] })
        expectError(reply, 400, 'parameter_invalid', `archived is ${JSON.stringify(archived)}`)
      }
    },
  }),
  decided({
    id: 'FORM-NUMBER-01',
    title: 'MUST take a number that is written as text',
    section: '4.3',
    clauses: ['K-request-7'],
    faults: ['number-text-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const thing = JSON.stringify({ local_id: 'a', title: lab.mark, date: '1700000000' })
      const answer = readSyncAnswer(
        await post(phone, 'sync', { from: String(from), new_thing: thing }),
        'an upload with a date as text',
      )
      const listed = await (await lab.replica('laptop')).sync({ from })
      expectSame(
        expectThing(listed, answer.created.get('a') ?? '', 'phone created it').date,
        1_700_000_000,
        'date as a number',
        listed,
      )
    },
  }),
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
    faults: ['skip-id-array-ignored'],
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
  decided({
    id: 'FORM-TAG-01',
    title: 'MUST take tag settings as tag[name][field]',
    section: '4.3',
    clauses: ['K-request-9'],
    faults: ['tag-nested-form-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const form: Pair[] = [
        [`tag[${lab.mark}][favorite]`, 'true'],
        [`tag[${lab.mark}][color]`, '#abcdef'],
      ]
      await post(phone, 'sync', [['from', String(from)], ...form])
      const listed = await (await lab.replica('laptop')).sync({ from })
      const { favorite, color } = expectTag(listed, lab.mark, 'phone set it')
      expectSame([favorite, color], [true, '#abcdef'], 'favorite and color as submitted', listed)
    },
  }),
  decided({
    id: 'FORM-TAG-02',
    title: 'MUST take tag settings as a map of objects and as a map of JSON texts',
    section: '4.3',
    clauses: ['K-request-9'],
    faults: ['tag-map-form-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      for (const settings of [{ favorite: true }, JSON.stringify({ favorite: true })]) {
        const from = await phone.position()
        const name = lab.unique()
        await post(phone, 'sync', { from: String(from), tag: JSON.stringify({ [name]: settings }) })
        const listed = await laptop.sync({ from })
        expectSame(expectTag(listed, name, 'phone set it').favorite, true, 'favorite as submitted', listed)
      }
    },
  }),
  decided({
    id: 'FORM-TAG-03',
    title: 'MUST refuse a tag parameter that is no map',
    section: '4.3',
    clauses: ['K-request-9', 'K-error-1'],
    faults: ['tag-not-map-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = String(await phone.position())
      for (const tag of ['[]', '7', '"text"']) {
        expectError(await post(phone, 'sync', { from, tag }), 400, 'parameter_invalid', `tag is ${tag}`)
      }
      const map = JSON.stringify({ [lab.mark]: { favorite: true } })
      readSyncAnswer(await post(phone, 'sync', { from, tag: map }), 'a sync with tag as a map')
    },
  }),
  decided({
    id: 'FORM-NAME-01',
    title: 'MUST keep names chosen by clients apart whatever they hold',
    section: '2',
    clauses: ['K-request-10'],
    faults: ['local-id-prototype-lost', 'local-id-ascii-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const names = ['__proto__', 'constructor', 'toString', '', ' ', 'a]b', 'é', '👩‍🚀', '"', '0']
      const things = names.map((name) => ({ local_id: name, title: lab.unique() }))
      const answer = await phone.sync({ from: await phone.position(), new_thing: things })
      expectSame([...answer.created.keys()].sort(), [...names].sort(), 'local ids in things.new', answer)
    },
  }),
]
