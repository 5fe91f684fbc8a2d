import { expectSame, expectTag } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { expectError } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 2.2: values of tag settings (contract, sync 12). */
export const tagSettingRules: readonly Rule[] = [
  decided({
    id: 'TAG-SETTING-TODO-01',
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
    id: 'TAG-SETTING-TODO-02',
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
    id: 'TAG-SETTING-COLOR-03',
    title: 'MUST return a color in lower case, #rgb or #rrggbb as sent',
    section: '2.2',
    clauses: ['K-sync-18'],
    faults: ['color-case-kept', 'color-three-digits-doubled'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      for (const color of ['#AbCdEf', '#F0c', false] as const) {
        const from = await phone.position()
        await phone.setTag(lab.mark, { color })
        const listed = await laptop.sync({ from })
        const wanted = color === false ? color : color.toLowerCase()
        expectSame(expectTag(listed, lab.mark, 'phone set it').color, wanted, `color, submitted as ${color}`, listed)
      }
    },
  }),
  decided({
    id: 'TAG-SETTING-COLOR-02',
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
    id: 'TAG-SETTING-ABSENT-01',
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
]
