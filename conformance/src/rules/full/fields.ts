import { expect, expectSame, expectTag, expectThing } from '../../expect.ts'
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

/** Rules of sections 2.1 and 2.2: values of single fields (contract, sync 11 and 12). */
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
    id: 'SETTING-TODO-01',
    title: 'MUST return todo submitted as true as "strike"',
    section: '2.2',
    clauses: ['K-sync-18'],
    faults: ['todo-true-as-dont-strike'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      await phone.setTag(lab.mark, { todo: true })
      const listed = await (await lab.replica('laptop')).sync({ from })
      expectSame(expectTag(listed, lab.mark, 'phone set it').todo, 'strike', 'todo, submitted as true', listed)
    },
  }),
  decided({
    id: 'SETTING-TODO-02',
    title: 'MUST take todo as "strike" and as "dont-strike"',
    section: '2.2',
    clauses: ['K-sync-18'],
    faults: ['todo-text-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const todo of ['dont-strike', 'strike']) {
        const from = await phone.position()
        const form = [
          ['from', String(from)],
          [`tag[${lab.mark}]`, JSON.stringify({ todo })],
        ] as const
        await phone.send({ method: 'POST', path: 'sync', form })
        const listed = await (await lab.replica('laptop')).sync({ from })
        expectSame(expectTag(listed, lab.mark, 'phone set it').todo, todo, 'todo as submitted', listed)
      }
    },
  }),
  decided({
    id: 'SETTING-COLOR-01',
    title: 'MUST return a color as sent, #rgb or #rrggbb in its letter case',
    section: '2.2',
    clauses: ['K-sync-18'],
    faults: ['color-lowercased'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      for (const color of ['#AbCdEf', '#F0c', false] as const) {
        const from = await phone.position()
        await phone.setTag(lab.mark, { color })
        const listed = await laptop.sync({ from })
        expectSame(expectTag(listed, lab.mark, 'phone set it').color, color, 'color as submitted', listed)
      }
    },
  }),
  decided({
    id: 'SETTING-COLOR-02',
    title: 'MUST refuse a color that is neither false nor #rgb nor #rrggbb',
    section: '2.2',
    clauses: ['K-sync-18', 'K-error-1'],
    faults: ['color-unchecked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      for (const color of ['red', '#12', '#1234567', 'abcdef']) {
        const reply = await phone.trySync({ from, tag: { [lab.mark]: { color } } })
        expectError(reply, 400, 'parameter_invalid', `color is ${color}`)
      }
      await phone.setTag(lab.mark, { color: '#123456' })
    },
  }),
  decided({
    id: 'SETTING-ABSENT-01',
    title: 'MUST keep tag settings that a submission leaves out',
    section: '2.2',
    clauses: ['K-sync-18'],
    faults: ['tag-absent-resets'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { favorite: true, color: '#112233', todo: true })
      const from = await phone.position()
      await phone.setTag(lab.mark, { favorite: false })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const { favorite, color, todo } = expectTag(listed, lab.mark, 'phone set it')
      expectSame(
        [favorite, color, todo],
        [false, '#112233', 'strike'],
        'the new favorite, color and todo as before',
        listed,
      )
    },
  }),
  decided({
    id: 'TODO-CARRIES-01',
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
