import { expectSame, expectThing } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { expectError, post } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: how values and names may be spelled in a form (contract, requests). */
export const spellingRules: readonly Rule[] = [
  decided({
    id: 'FORM-BOOLEAN-01',
    title: 'MUST take true, false, 1 and 0 as booleans, quoted or not, in any letter case',
    section: '4.3',
    clauses: ['K-request-6'],
    faults: ['boolean-text-refused', 'boolean-case-refused', 'new-archived-ignored'],
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
    faults: ['number-text-refused', 'new-date-ignored'],
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
