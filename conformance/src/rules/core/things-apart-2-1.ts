import { expectField, expectSame, expectThing } from '../../expect.ts'
import type { JsonObject } from '../../json.ts'
import type { ThingFields } from '../../sync-request.ts'
import { coreSection } from './core-rules.ts'
import { setTodoTag } from './named-tags.ts'

/** Fields as they come back: what is false or absent reads as null. */
const shown = (thing: JsonObject): object =>
  Object.fromEntries(
    ['title', 'date', 'url', 'html', 'archived', 'todoStatus'].map((field) => [field, thing[field] ?? null]),
  )

const wanted = ({ title, date, url, html, archived, todoStatus }: ThingFields): object => ({
  ...{ title: title ?? null, date: date ?? null, url: url ?? null, html: html ?? null },
  ...{ archived: archived === true ? true : null, todoStatus: todoStatus ?? null },
})

/** Every combination of two truths. */
const truths = [true, false].flatMap((archived) => [true, false].map((todoStatus) => ({ archived, todoStatus })))

/** Fields of one thing leave each other alone (interface 2.1, 3). */
export const thingsApartRules = coreSection('2.1', [
  {
    id: 'THING-APART-01',
    title: 'MUST keep archived and todoStatus of a todo apart, in every combination and every step between two',
    section: '3',
    basis: 'derived',
    clauses: ['C-3-1', 'C-3-2', 'C-2.1-9'],
    faults: [
      'archive-marks-done',
      'done-archives',
      'archive-clears-done',
      'undone-unarchives',
      'unarchive-clears-done',
      'archived-todo-loses-status',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await setTodoTag(lab)
      const ways = truths.flatMap((before) => truths.map((after) => ({ before, after })))
      const base = { tags: `a ${lab.mark}` }
      const ids = await phone.createMany(ways.map(({ before }) => ({ ...base, ...before })))
      const from = await laptop.position()
      const things = ways.map(({ after }, place) => ({ _id: ids[place] ?? '', title: lab.unique(), ...base, ...after }))
      await phone.sync({ from, changed_thing: things.slice(0, 8) })
      await phone.sync({ from, changed_thing: things.slice(8) })
      const answer = await laptop.sync({ from })
      for (const [place, { before, after }] of ways.entries()) {
        const thing = expectThing(answer, ids[place] ?? '', 'phone changed it')
        const expected = `archived and todoStatus after a change from ${JSON.stringify(before)}`
        expectSame([thing.archived ?? false, thing.todoStatus], [after.archived, after.todoStatus], expected, answer)
      }
    },
  },
  {
    id: 'THING-APART-02',
    title: 'MUST keep all fields of a new thing together, whichever of them it has',
    basis: 'derived',
    clauses: ['C-2.1-13', 'C-2.1-6', 'C-2.1-7'],
    faults: [
      'url-only-without-html',
      'html-only-without-url',
      'url-fills-title',
      'html-makes-title',
      'archived-things-lose-html',
      'untagged-things-lose-url',
      'dated-things-lose-url',
      'new-tags-sorted-away',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const parts: readonly ThingFields[] = [
        { url: `https://example.org/${lab.mark}` },
        { html: `<h1>Heading</h1><p>${lab.mark}</p>` },
        { tags: `x ${lab.mark}y` },
        { archived: true },
        { date: 1_400_000_003 },
      ]
      const combined = Array.from({ length: 2 ** parts.length }, (_, bits): ThingFields => {
        const chosen = parts.filter((_part, place) => (bits & (2 ** place)) > 0)
        return Object.assign({ title: lab.unique() }, ...chosen)
      })
      const from = await laptop.position()
      const ids = await phone.createMany(combined)
      const answer = await laptop.sync({ from })
      for (const [place, fields] of combined.entries()) {
        const thing = expectThing(answer, ids[place] ?? '', 'phone created it')
        const date = fields.date ?? thing.date
        expectSame(
          shown(thing),
          wanted({ ...fields, date: Number(date) }),
          'fields of a thing as phone created it',
          answer,
        )
        expectField(thing, 'tags', fields.tags ?? '', 'tags of a thing as phone created it', answer)
      }
    },
  },
  {
    id: 'THING-APART-03',
    title:
      'MUST change the field that a change gives another value, list the thing for it, and leave the others as they are',
    basis: 'derived',
    clauses: ['C-2.1-11', 'C-4.3-28'],
    faults: [
      'change-of-tags-unlisted',
      'change-of-date-unlisted',
      'change-of-url-unlisted',
      'change-of-html-unlisted',
      'change-of-archived-unlisted',
      'change-of-todo-status-unlisted',
      'change-of-title-dates-anew',
      'change-of-html-clears-url',
      'change-of-url-clears-html',
      'change-of-tags-undoes',
      'change-of-date-unarchives',
      'change-of-title-drops-tags',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await setTodoTag(lab)
      const base: ThingFields = {
        title: lab.unique(),
        tags: `a ${lab.mark}`,
        date: 1_300_000_007,
        url: 'https://example.org/a',
        html: '<p>a</p>',
        archived: true,
        todoStatus: true,
      }
      const changes: readonly ThingFields[] = [
        { title: lab.unique() },
        { tags: `b ${lab.mark}` },
        { date: 1_300_000_008 },
        { url: 'https://example.org/b' },
        { html: '<p>b</p>' },
        { archived: false },
        { todoStatus: false },
      ]
      const ids = await phone.createMany(changes.map(() => base))
      const from = await laptop.position()
      const things = changes.map(
        (change, place): JsonObject & { _id: string } => ({ _id: ids[place] ?? '', ...base, ...change }) as never,
      )
      await phone.sync({ from, changed_thing: things })
      const answer = await laptop.sync({ from })
      for (const [place, change] of changes.entries()) {
        const thing = expectThing(answer, ids[place] ?? '', `phone changed its ${Object.keys(change).join()}`)
        const expected = `fields after a change of ${Object.keys(change).join()} alone`
        expectSame(shown(thing), wanted({ ...base, ...change }), expected, answer)
        expectField(
          thing,
          'tags',
          change.tags ?? base.tags,
          `tags after a change of ${Object.keys(change).join()} alone`,
          answer,
        )
      }
    },
  },
])
