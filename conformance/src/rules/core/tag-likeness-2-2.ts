import { expect, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import { off } from '../../sync-request.ts'
import { coreSection } from './core-rules.ts'
import { expectNamed } from './named-tags.ts'

/** Names of tags that a person or a database takes for the same, and that are others (interface 2.2: addressed by tag name). */
export const tagLikenessRules = coreSection('2.2', [
  {
    id: 'TAG-NAME-06',
    title: 'MUST keep apart the settings of tags whose names differ in an accent, a case or a letter that looks alike',
    clauses: ['C-2.2-1', 'C-2.2-4'],
    basis: 'derived',
    faults: [
      'tag-name-accents-equal',
      'tag-name-accents-stripped',
      'tag-name-case-equal',
      'tag-name-sharp-s-equal',
      'tag-name-alike-letters-equal',
      'tag-name-width-equal',
      'tag-name-blank-signs-equal',
    ],
    check: async (lab) => {
      const { mark } = lab
      await expectNamed(
        lab,
        ['cafe', 'café', 'càfe', 'Cafe', 'CAFE'].map((word) => `${mark}${word}`),
      )
      await expectNamed(
        lab,
        ['strasse', 'straße', 'nino', 'niño', 'ıstanbul', 'istanbul'].map((word) => `${mark}${word}`),
      )
      // The second is Cyrillic, the third full-width, the last holds a sign that shows nothing.
      await expectNamed(
        lab,
        ['pay', 'рay', 'ｐay', 'ﬁn', 'fin', 'pa\u200dy'].map((word) => `${mark}${word}`),
      )
    },
  },
  {
    id: 'TAG-NAME-07',
    title: 'MUST keep apart, and as they are, tag names in composed and in decomposed letters',
    clauses: ['C-2.2-1', 'C-2.2-4'],
    basis: 'derived',
    faults: ['tag-name-composed', 'tag-name-decomposed', 'tag-name-forms-equal'],
    check: (lab) =>
      expectNamed(
        lab,
        ['caf\u00e9', 'cafe\u0301', '\u1100\u1161', '\uac00', '\u212b', '\u00c5'].map((word) => `${lab.mark}${word}`),
      ),
  },
  {
    id: 'TAG-TODO-04',
    title: 'MUST NOT take for todos things whose tag only looks like the todo tag',
    section: '2.1',
    clauses: ['C-2.1-9', 'C-2.2-3'],
    basis: 'derived',
    faults: ['todo-by-accent', 'todo-by-case', 'todo-by-form'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const name = `${lab.mark}café`
      await phone.setTag(name, { ...off, todo: true })
      const others = [`${lab.mark}cafe`, name.toUpperCase(), name.normalize('NFD')]
      const from = await laptop.position()
      // None has a status of its own: one that was given may be shown although nothing asks for it (THING-TODO-04).
      const ids = await phone.createMany(others.map((tags) => ({ tags })))
      const delta = await laptop.sync({ from })
      for (const [place, tags] of others.entries()) {
        const thing = expectThing(delta, ids[place] ?? '', 'phone created it')
        const expected = `no todoStatus on a thing with the tag ${showValue(tags)}, ${showValue(name)} being the todo tag`
        expect(!Object.hasOwn(thing, 'todoStatus'), expected, showValue(thing), delta)
      }
    },
  },
])
