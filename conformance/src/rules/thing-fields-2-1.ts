import { type JsonObject, showValue } from '../encoding.ts'
import { expect, expectField, expectSame, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import type { ThingFields } from '../sync-messages.ts'
import { expectError } from './operation-steps.ts'
import { createAndSync, setTodoTag } from './upload-steps.ts'

/** The fields of a thing on every server, as phone sends them; `todoStatus` is separate: it needs a todo tag. */
const allFields = (lab: Lab): Required<Pick<ThingFields, 'title' | 'tags' | 'date' | 'url' | 'html'>> => ({
  title: lab.unique(),
  tags: `${lab.mark} Second third`,
  date: 1_234_567_890 + Math.floor(lab.random() * 1e6),
  url: `https://example.org/${lab.unique()}?a=b&c=d#e`,
  html: `<p>${lab.unique()}</p>`,
})

type Field = keyof ReturnType<typeof allFields>

const expectNewField = async (lab: Lab, field: Field): Promise<void> => {
  const fields = allFields(lab)
  const { response, thing } = await createAndSync(lab, fields)
  expectField(thing, field, fields[field], `${field} as phone created it`, response)
}

const expectChangedField = async (lab: Lab, field: Field): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const id = await phone.create(allFields(lab))
  const from = await laptop.position()
  const fields = { ...allFields(lab), tags: `fourth ${lab.mark}`, date: 987_654_321 }
  await phone.change(id, fields)
  const response = await laptop.sync({ from })
  const thing = expectThing(response, id, 'phone changed it')
  expectField(thing, field, fields[field], `${field} as phone changed it`, response)
}

const checkArchivedAfter = async (lab: Lab, before: boolean, after: boolean): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const title = lab.unique()
  const id = await phone.create({ title, archived: before })
  const from = await laptop.position()
  await phone.change(id, { title, archived: after })
  const response = await laptop.sync({ from })
  const thing: JsonObject = expectThing(response, id, 'phone changed it')
  expectSame(thing.archived, after ? true : undefined, 'archived after phone changed it', response)
}

const fieldRule = (field: Field, requirements: readonly string[], newFaults: string[], changeFaults: string[]) => [
  {
    id: `THING-NEW-${field.toUpperCase()}-01`,
    title: `MUST keep the ${field} of a new thing`,
    requirements: [...requirements, 'C-2.1-13'],
    faults: newFaults,
    check: (lab: Lab) => expectNewField(lab, field),
  },
  {
    id: `THING-CHANGE-${field.toUpperCase()}-01`,
    title: `MUST take over the ${field} of a changed thing`,
    requirements: [...requirements, 'C-2.1-11'],
    faults: changeFaults,
    check: (lab: Lab) => expectChangedField(lab, field),
  },
]

/** Fields of a thing stay as submitted (interface 2.1, 3). */
export const thingFieldRules = coreRulesOf('2.1', [
  // Each field of the table, in a creation and in a change; a change here always sends all fields.
  ...fieldRule('title', ['C-2.1-3'], ['new-title-lost', 'title-missing'], ['change-title-ignored']),
  ...fieldRule(
    'tags',
    ['C-2.1-4'],
    ['new-tags-dropped', 'tags-commas', 'tags-lowercased', 'tags-array'],
    ['change-tags-ignored'],
  ),
  ...fieldRule(
    'date',
    ['C-2.1-5'],
    ['new-date-ignored', 'date-text', 'date-iso', 'date-milliseconds'],
    ['change-date-ignored'],
  ),
  {
    id: 'THING-DATE-07',
    title: 'MUST give a new thing without a date a Unix time in seconds that is not in the future',
    requirements: ['C-2.1-5'],
    basis: 'implied',
    faults: ['date-milliseconds-default'],
    check: async (lab) => {
      const { response, thing } = await createAndSync(lab, {})
      const date = Number(thing.date)
      // A server may have a clock of its own; milliseconds are a thousand times as much.
      const isPast = Number.isFinite(date) && date < Date.now() / 1000 + 86_400
      expect(isPast, 'a Unix time in seconds, at most a day from now', `date is ${showValue(thing.date)}`, response)
    },
  },
  ...fieldRule('url', ['C-2.1-6'], ['new-url-dropped'], ['change-url-ignored']),
  ...fieldRule('html', ['C-2.1-7'], ['new-html-dropped', 'html-stripped'], ['change-html-ignored']),
  {
    id: 'THING-NEW-ARCHIVED-01',
    title: 'MUST return archived as true on a thing that was created archived',
    requirements: ['C-2.1-8', 'C-2.1-13'],
    faults: ['new-archived-ignored', 'archived-number'],
    check: async (lab) => {
      const { response, thing } = await createAndSync(lab, { archived: true })
      expectSame(thing.archived, true, 'archived as phone created it', response)
    },
  },
  {
    id: 'THING-CHANGE-ARCHIVED-01',
    title: 'MUST archive a thing that is changed to archived true',
    section: '3',
    requirements: ['C-3-1', 'C-2.1-8'],
    faults: ['change-archived-ignored'],
    check: (lab) => checkArchivedAfter(lab, false, true),
  },
  {
    // "Missing means false" applies to archived, in changes as in new things (interface 2.1).
    id: 'THING-CHANGE-ARCHIVED-03',
    title: 'MUST take a thing out of the archive when it is changed without archived',
    requirements: ['C-2.1-8', 'C-2.1-11'],
    faults: ['change-archived-kept'],
    check: async (lab: Lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const title = lab.unique()
      const id = await phone.create({ title, archived: true })
      const from = await laptop.position()
      await phone.change(id, { title })
      const response = await laptop.sync({ from })
      const { archived } = expectThing(response, id, 'phone changed it')
      const expected = 'no archived, because phone changed the thing without it'
      expect(archived === undefined, expected, `archived is ${showValue(archived)}`, response)
    },
  },
  {
    id: 'THING-CHANGE-ARCHIVED-02',
    title: 'MUST take a thing out of the archive that is changed to archived false',
    section: '3',
    requirements: ['C-3-1', 'C-2.1-8'],
    faults: ['change-unarchive-ignored'],
    check: (lab) => checkArchivedAfter(lab, true, false),
  },
])

const expectAbsent = async (lab: Lab, field: string, fields: ThingFields, because: string): Promise<void> => {
  const { response, thing } = await createAndSync(lab, fields)
  expect(!Object.hasOwn(thing, field), `no ${field}, because ${because}`, `${showValue(thing[field])} came`, response)
}

/** Fields of a thing are present only when they should be; todos (interface 2.1, 3). */
export const thingPresenceRules = coreRulesOf('2.1', [
  {
    // Present always means true; a client may check for presence alone.
    id: 'THING-PRESENCE-01',
    title: 'MUST leave out archived on a thing that is not archived',
    requirements: ['C-2.1-8'],
    faults: ['archived-false-present'],
    check: async (lab) => {
      for (const fields of [{}, { archived: false }]) {
        await expectAbsent(lab, 'archived', fields, `phone created it with ${showValue(fields)}`)
      }
    },
  },
  {
    id: 'THING-PRESENCE-02',
    title: 'MUST leave out url on a thing without one',
    requirements: ['C-2.1-6'],
    faults: ['url-null', 'url-empty'],
    check: (lab) => expectAbsent(lab, 'url', { html: '<p>note</p>' }, 'phone created it without url'),
  },
  {
    id: 'THING-PRESENCE-03',
    title: 'MUST leave out html on a thing without any',
    requirements: ['C-2.1-7'],
    faults: ['html-null'],
    check: (lab) => expectAbsent(lab, 'html', { url: 'https://example.org/' }, 'phone created it without html'),
  },
  {
    id: 'THING-PRESENCE-04',
    title: 'MUST return _id, title and tags as strings and date as a number on every thing',
    requirements: ['C-2.1-3', 'C-2.1-4', 'C-2.1-5', 'C-2.1-10'],
    faults: ['tags-null', 'tags-missing', 'id-named-id', 'title-missing'],
    check: async (lab) => {
      const { response, thing } = await createAndSync(lab, {})
      const types = [thing._id, thing.title, thing.tags, thing.date].map((value) => typeof value)
      const wanted = ['string', 'string', 'string', 'number']
      expectSame(types, wanted, 'types of _id, title, tags and date of a thing created with a title alone', response)
    },
  },
  {
    id: 'THING-PRESENCE-05',
    title: 'MUST leave out todoStatus on a thing that is no todo',
    requirements: ['C-2.1-9'],
    faults: ['todo-status-always', 'todo-status-null', 'todo-status-on-tagged', 'todo-status-on-untagged'],
    check: async (lab) => {
      await expectAbsent(lab, 'todoStatus', {}, 'it has no tag, and only a special tag makes a todo')
      await expectAbsent(lab, 'todoStatus', { tags: lab.mark }, 'nothing was set for its only tag')
    },
  },
  {
    id: 'THING-TODO-01',
    title: 'MUST return todoStatus on a todo as it was created',
    requirements: ['C-2.1-9', 'C-3-2'],
    faults: ['new-todo-status-ignored', 'todo-status-missing'],
    check: async (lab) => {
      await setTodoTag(lab)
      for (const todoStatus of [true, false]) {
        const { response, thing } = await createAndSync(lab, { tags: `other ${lab.mark}`, todoStatus })
        expectSame(thing.todoStatus, todoStatus, 'todoStatus as phone created the todo', response)
      }
    },
  },
  {
    id: 'THING-TODO-02',
    title: 'MUST take over the todoStatus of a changed todo',
    section: '3',
    requirements: ['C-3-2', 'C-2.1-9'],
    faults: ['change-todo-status-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await setTodoTag(lab)
      const fields = { title: lab.unique(), tags: lab.mark }
      const id = await phone.create({ ...fields, todoStatus: false })
      for (const todoStatus of [true, false]) {
        const from = await laptop.position()
        await phone.change(id, { ...fields, todoStatus })
        const response = await laptop.sync({ from })
        const thing = expectThing(response, id, 'phone changed it')
        expectSame(thing.todoStatus, todoStatus, 'todoStatus as phone changed the todo', response)
      }
    },
  },
  {
    // No client has set a status yet: the server may show false or nothing, but no other value.
    id: 'THING-TODO-03',
    title: 'MUST NOT return anything but a boolean as todoStatus',
    requirements: ['C-2.1-9'],
    faults: ['todo-status-null-unset'],
    check: async (lab) => {
      await setTodoTag(lab)
      const { response, thing } = await createAndSync(lab, { tags: lab.mark })
      const { todoStatus } = thing
      const isRight = todoStatus === undefined || typeof todoStatus === 'boolean'
      expect(isRight, 'true, false or nothing for todoStatus of a todo', `${showValue(todoStatus)} came`, response)
    },
  },
  {
    // A device that was offline sends its first todo and the tag's setting in one request: together they are a todo.
    id: 'THING-TODO-05',
    title: 'MUST return the todoStatus of todos that came in one upload with the tag that makes them todos',
    section: '3',
    requirements: ['C-3-2', 'C-2.1-9'],
    basis: 'implied',
    faults: ['new-todo-checked-before-tags', 'changed-todo-checked-before-tags'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const fields = { title: lab.unique(), tags: lab.mark, todoStatus: true }
      const old = await phone.create({ title: fields.title, tags: lab.mark })
      const from = await laptop.position()
      const localId = lab.unique()
      const uploaded = await phone.sync({
        from,
        new_thing: [{ local_id: localId, ...fields }],
        changed_thing: [{ _id: old, ...fields }],
        tag: { [lab.mark]: { favorite: false, color: false, todo: true } },
      })
      const response = await laptop.sync({ from })
      for (const [id, did] of [
        [uploaded.created.get(localId) ?? '', 'created'],
        [old, 'changed'],
      ] as const) {
        const because = `phone ${did} it with todoStatus true, and made its tag a todo tag in the same request`
        expectSame(expectThing(response, id, because).todoStatus, true, `todoStatus: ${because}`, response)
      }
    },
  },
  {
    id: 'THING-TODO-06',
    title: 'MUST NOT return todoStatus on a thing without tags, also when it was submitted',
    requirements: ['C-2.1-9'],
    faults: ['todo-status-without-tags'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const ids = await phone.createMany([{ todoStatus: true }, { todoStatus: false }])
      const response = await phone.listAll()
      for (const id of ids) {
        const thing = expectThing(response, id, 'phone created it')
        const isAbsent = (thing.todoStatus ?? null) === null
        expect(isAbsent, 'no todoStatus, because the thing has no tag that makes it a todo', showValue(thing), response)
      }
    },
  },
  {
    // The interface does not say which tag is the special one, nor that the status disappears with the tag's setting.
    id: 'THING-TODO-04',
    title: 'SHOULD leave out todoStatus on a thing whose tag is no longer for todos',
    basis: 'implied',
    requirements: ['C-2.1-9'],
    faults: ['todo-status-always'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await setTodoTag(lab)
      const id = await phone.create({ tags: lab.mark, todoStatus: true })
      await phone.setTag(lab.mark, { favorite: false, color: false, todo: false })
      const response = await phone.listAll()
      const thing = expectThing(response, id, 'phone created it')
      const isAbsent = !Object.hasOwn(thing, 'todoStatus')
      expect(isAbsent, 'no todoStatus, because its only tag is no todo tag any more', showValue(thing), response)
    },
  },
])

/** Fields as they come back: false or absent reads as null. */
const shown = (thing: JsonObject): object =>
  Object.fromEntries(
    ['title', 'date', 'url', 'html', 'archived', 'todoStatus'].map((field) => [field, thing[field] ?? null]),
  )

const wanted = ({ title, date, url, html, archived, todoStatus }: ThingFields): object => ({
  ...{ title: title ?? null, date: date ?? null, url: url ?? null, html: html ?? null },
  ...{ archived: archived === true ? true : null, todoStatus: todoStatus ?? null },
})

/** Every combination of two booleans. */
const truths = [true, false].flatMap((archived) => [true, false].map((todoStatus) => ({ archived, todoStatus })))

/** Fields of one thing do not affect each other (interface 2.1, 3). */
export const thingsApartRules = coreRulesOf('2.1', [
  {
    id: 'THING-APART-01',
    title: 'MUST keep archived and todoStatus of a todo apart, in every combination and every step between two',
    section: '3',
    basis: 'implied',
    requirements: ['C-3-1', 'C-3-2', 'C-2.1-9'],
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
      const things = ways.map(({ after }, index) => ({ _id: ids[index] ?? '', title: lab.unique(), ...base, ...after }))
      await phone.sync({ from, changed_thing: things.slice(0, 8) })
      await phone.sync({ from, changed_thing: things.slice(8) })
      const response = await laptop.sync({ from })
      for (const [index, { before, after }] of ways.entries()) {
        const thing = expectThing(response, ids[index] ?? '', 'phone changed it')
        const expected = `archived and todoStatus after a change from ${JSON.stringify(before)}`
        expectSame([thing.archived ?? false, thing.todoStatus], [after.archived, after.todoStatus], expected, response)
      }
    },
  },
  {
    id: 'THING-APART-02',
    title: 'MUST keep all fields of a new thing together, whichever of them it has',
    basis: 'implied',
    requirements: ['C-2.1-13', 'C-2.1-6', 'C-2.1-7'],
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
        const chosen = parts.filter((_part, index) => (bits & (2 ** index)) > 0)
        return Object.assign({ title: lab.unique() }, ...chosen)
      })
      const from = await laptop.position()
      const ids = await phone.createMany(combined)
      const response = await laptop.sync({ from })
      for (const [index, fields] of combined.entries()) {
        const thing = expectThing(response, ids[index] ?? '', 'phone created it')
        const date = fields.date ?? thing.date
        expectSame(
          shown(thing),
          wanted({ ...fields, date: Number(date) }),
          'fields of a thing as phone created it',
          response,
        )
        expectField(thing, 'tags', fields.tags ?? '', 'tags of a thing as phone created it', response)
      }
    },
  },
  {
    id: 'THING-APART-03',
    title:
      'MUST change the field that a change gives another value, list the thing for it, and leave the others as they are',
    basis: 'implied',
    requirements: ['C-2.1-11', 'C-4.3-28'],
    faults: [
      'change-of-tags-unlisted',
      'change-of-date-unlisted',
      'change-of-url-unlisted',
      'change-of-html-unlisted',
      'change-of-archived-unlisted',
      'change-of-todo-status-unlisted',
      'change-of-title-dates-again',
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
        (change, index): JsonObject & { _id: string } => ({ _id: ids[index] ?? '', ...base, ...change }) as never,
      )
      await phone.sync({ from, changed_thing: things })
      const response = await laptop.sync({ from })
      for (const [index, change] of changes.entries()) {
        const thing = expectThing(response, ids[index] ?? '', `phone changed its ${Object.keys(change).join()}`)
        const expected = `fields after a change of ${Object.keys(change).join()} alone`
        expectSame(shown(thing), wanted({ ...base, ...change }), expected, response)
        expectField(
          thing,
          'tags',
          change.tags ?? base.tags,
          `tags after a change of ${Object.keys(change).join()} alone`,
          response,
        )
      }
    },
  },
])

/** Creates a thing whose title cannot be written as JSON text directly: `escaped` is the text inside the quotes. */
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
  extensionRule({
    id: 'DATE-DEFAULT-01',
    title: "MUST give a new thing without date the server's time in whole seconds",
    section: '2.1',
    requirements: ['K-sync-15'],
    faults: ['date-milliseconds-default'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const id = await phone.create()
      const listed = await phone.sync({ from })
      const date = Number(expectThing(listed, id, 'phone created it').date)
      const offBy = Math.abs(date - Date.now() / 1000)
      // A difference of a day may be a clock; milliseconds are a thousand times as much.
      expect(
        Number.isInteger(date) && offBy < 86_400,
        "the server's time in whole seconds",
        `date is ${showValue(date)}`,
        listed,
      )
    },
  }),
  extensionRule({
    id: 'DATE-ZERO-01',
    title: 'MUST keep any finite date: 0, negative, with a fraction',
    section: '2.1',
    requirements: ['K-sync-15'],
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
  extensionRule({
    // Core compares tags as a set; a client that edits the text must find it unchanged.
    id: 'TEXT-TAGS-01',
    title: 'MUST return the tags of a thing character for character',
    section: '2.1',
    requirements: ['K-sync-16'],
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
  extensionRule({
    id: 'TEXT-NUL-01',
    title: 'MUST reject NUL in a text',
    section: '2.1',
    requirements: ['K-sync-16'],
    faults: ['nul-accepted'],
    check: async (lab) => {
      expectError(await createEscaped(lab, '\\u0000'), 400, 'parameter_invalid', 'the title holds NUL')
      await (await lab.replica('phone')).create({ title: `${lab.mark}\u0001` })
    },
  }),
  extensionRule({
    id: 'TEXT-SURROGATE-01',
    title: 'MUST reject a lone surrogate in a text',
    section: '2.1',
    requirements: ['K-sync-16'],
    faults: ['lone-surrogate-accepted'],
    check: async (lab) => {
      expectError(await createEscaped(lab, '\\ud83d'), 400, 'parameter_invalid', 'the title holds half of a pair')
      await (await lab.replica('phone')).create({ title: `${lab.mark}\ud83d\ude00` })
    },
  }),
  extensionRule({
    id: 'TAG-TODO-CARRIES-01',
    title: 'MUST return todoStatus on exactly the things that carry a tag with a todo setting',
    section: '2.1',
    requirements: ['K-sync-17'],
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
