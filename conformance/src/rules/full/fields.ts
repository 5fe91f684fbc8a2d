import { expect, expectSame, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Rule } from '../../rule.ts'
import { expectError } from './answers.ts'
import { decided } from './decided.ts'

/** Creates a thing with a title that can't be written as JSON text directly: `escaped` stands inside the quotes. */
const createEscaped = async (lab: Lab, escaped: string) => {
  const phone = await lab.replica('phone')
  const text = `{"local_id":"${lab.unique()}","title":"${lab.mark}${escaped}"}`
  const form = [
    ['from', String(await phone.position())],
    ['new_thing', text],
  ] as const
  return phone.send({ method: 'POST', path: 'sync', form })
}

/** Rules of section 2.1: values of single fields of a thing (contract, sync 11 and 12). */
export const fieldRules: readonly Rule[] = [
  decided({
    id: 'DATE-DEFAULT-01',
    title: "MUST give a new thing without date the server's time in whole seconds",
    section: '2.1',
    clauses: ['K-sync-15'],
    faults: ['date-milliseconds-default'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const id = await phone.create()
      const listed = await phone.sync({ from })
      const date = Number(expectThing(listed, id, 'phone created it').date)
      const offBy = Math.abs(date - Date.now() / 1000)
      // A day apart is a clock; milliseconds are a thousand times as much.
      expect(
        Number.isInteger(date) && offBy < 86_400,
        "the server's time in whole seconds",
        `date is ${showValue(date)}`,
        listed,
      )
    },
  }),
  decided({
    id: 'DATE-ZERO-01',
    title: 'MUST keep any finite date: 0, negative, with a fraction',
    section: '2.1',
    clauses: ['K-sync-15'],
    faults: ['date-zero-replaced'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const dates = [0, -86_400, 1.5, 253_402_300_800]
      const ids = await phone.createMany(dates.map((date) => ({ date })))
      const listed = await (await lab.replica('laptop')).sync({ from })
      const seen = ids.map((id) => expectThing(listed, id, 'phone created it').date)
      expectSame(seen, dates, 'dates as sent', listed)
    },
  }),
  decided({
    // Core compares tags as a set; a client that edits the text finds it as it was.
    id: 'TEXT-TAGS-01',
    title: 'MUST return the tags of a thing character for character',
    section: '2.1',
    clauses: ['K-sync-16'],
    faults: ['tags-sorted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const tags = `zebra ${lab.mark}  apple zebra`
      const id = await phone.create({ tags })
      const listed = await (await lab.replica('laptop')).sync({ from })
      expectSame(expectThing(listed, id, 'phone created it').tags, tags, 'tags as sent', listed)
    },
  }),
  decided({
    id: 'TEXT-NUL-01',
    title: 'MUST refuse NUL in a text',
    section: '2.1',
    clauses: ['K-sync-16'],
    faults: ['nul-accepted'],
    check: async (lab) => {
      expectError(await createEscaped(lab, '\\u0000'), 400, 'parameter_invalid', 'the title holds NUL')
      await (await lab.replica('phone')).create({ title: `${lab.mark}\u0001` })
    },
  }),
  decided({
    id: 'TEXT-SURROGATE-01',
    title: 'MUST refuse a lone surrogate in a text',
    section: '2.1',
    clauses: ['K-sync-16'],
    faults: ['lone-surrogate-accepted'],
    check: async (lab) => {
      expectError(await createEscaped(lab, '\\ud83d'), 400, 'parameter_invalid', 'the title holds half of a pair')
      await (await lab.replica('phone')).create({ title: `${lab.mark}\ud83d\ude00` })
    },
  }),
  decided({
    id: 'TAG-TODO-CARRIES-01',
    title: 'MUST return todoStatus on exactly the things that carry a tag with a todo setting',
    section: '2.1',
    clauses: ['K-sync-17'],
    faults: ['todo-status-missing', 'todo-status-always'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [todo = '', plain = ''] = await phone.createMany([
        { tags: `a ${lab.mark} b`, todoStatus: true },
        { tags: `${lab.mark}b` },
      ])
      for (const [setting, wanted] of [
        [true, true],
        [false, null],
        [true, true],
      ] as const) {
        await phone.setTag(lab.mark, { todo: setting })
        const listed = await (await lab.replica('laptop')).sync({ from })
        const seen = [todo, plain].map((id) => expectThing(listed, id, 'phone created it').todoStatus ?? null)
        expectSame(
          seen,
          [wanted, null],
          `todoStatus of a thing with the tag and of one without, todo being ${setting}`,
          listed,
        )
      }
    },
  }),
]
