import { expectSame, expectTag } from '../../expect.ts'
import type { Pair } from '../../form.ts'
import type { Rule } from '../../rule.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { expectError, post } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: how tag settings may be given in a form (contract, requests). */
export const tagSpellingRules: readonly Rule[] = [
  decided({
    id: 'FORM-TAG-01',
    title: 'MUST take tag settings as tag[name][field]',
    section: '4.3',
    clauses: ['K-request-9'],
    faults: ['tag-nested-form-ignored', 'tag-color-without-hash', 'tag-favorite-ignored'],
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
    faults: ['tag-not-map-ignored', 'sync-not-json', 'tag-map-form-refused', 'upload-after-from-refused'],
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
]
