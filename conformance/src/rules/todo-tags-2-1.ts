/*
 * Generated cases of to-dos (interface 2.1, 2.2, 3): for each name of a todo tag the tags that a search could take for
 * it, and for each setting of a tag the next one. `tag-names-2-2.ts` has single examples.
 * cspell:ignore tâche дело ΤΕΛΟΣ ДЕЛО τελος
 */
import { showValue } from '../encoding.ts'
import { expect, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { coreRulesOf } from '../rule.ts'
import { isSyncResponse, off, readSyncResponse, type SyncResponse, type TagSettings } from '../sync-messages.ts'
import { lowerCase } from './upload-steps.ts'

type Settings = Required<TagSettings>

/** Sets tags in requests of at most ten. */
const setTags = async (replica: Replica, tags: Readonly<Record<string, Settings>>): Promise<void> => {
  const entries = Object.entries(tags)
  for (let start = 0; start < entries.length; start += 10) {
    // A map keeps a tag that is called __proto__.
    const tag = Object.fromEntries(entries.slice(start, start + 10))
    await replica.sync({ from: await replica.position(), tag })
  }
}

/** Creates a thing for each tags text; undefined for a text that the server rejects. */
const createTagged = async (replica: Replica, texts: readonly string[], todoStatus?: true) => {
  const ids: (string | undefined)[] = []
  const upload = async (some: readonly string[]): Promise<(string | undefined)[]> => {
    const reply = await replica.trySync({
      from: await replica.position(),
      new_thing: some.map((tags, index) => ({
        ...{ local_id: `t${index}`, title: `tags of case ${index}`, tags },
        ...(todoStatus === undefined ? {} : { todoStatus }),
      })),
    })
    if (isSyncResponse(reply)) {
      const response = readSyncResponse(reply, 'an upload of things with tags')
      return some.map((_, index) => response.created.get(`t${index}`))
    }
    if (some.length === 1) return [undefined]
    const single: (string | undefined)[] = []
    for (const text of some) single.push(...(await upload([text])))
    return single
  }
  for (let start = 0; start < texts.length; start += 10) ids.push(...(await upload(texts.slice(start, start + 10))))
  return ids
}

/** Tags texts that carry the name among others. */
const carriersOf = (name: string): string[] => [name, `a ${name}`, `${name} a`, `a ${name} b`, `a  ${name}  b`]

/** Tags texts that do not carry the name, but that a search by parts, patterns or words takes for it. */
const nearMissesOf = (name: string): string[] => [
  `${name}-list ${name}_2 ${name}.x`,
  `my-${name} a.${name} _${name}`,
  `${name}s un${name}`,
  `${name}, ,${name} ${name};`,
  `#${name} @${name} +${name} ${name}!`,
  `"${name}" '${name}' (${name}) [${name}]`,
  `${name}:1 ${name}/a ${name}=b ${name}|c`,
  `${name}\u00a0a b\u3000${name}`,
  `${name}\ta b\n${name} c\u200b${name}`,
  `${name.toUpperCase()}${name.toUpperCase() === name ? 'x' : ''}`,
  `${name.slice(0, -1)} ${name.slice(1)} ${name}${name}`,
  `${name.normalize('NFD')}x ${[...name].reverse().join('')}y`,
  `%${name} ${name}% ${name}* ${name.slice(0, -1)}_ ${name.slice(0, -1)}? ${name.slice(0, -1)}.`,
]

/** Names with signs of a pattern language, and a text that the pattern would match. */
const patterns = (mark: string): readonly (readonly [name: string, matched: string])[] => [
  [`${mark}_a`, `${mark}xa`],
  [`${mark}%a`, `${mark}xyza`],
  [`${mark}*a`, `${mark}xyza`],
  [`${mark}.a`, `${mark}xa`],
  [`${mark}?a`, `${mark}xa`],
  [`${mark}[ab]`, `${mark}a`],
  [`${mark}a+`, `${mark}aa`],
  [`${mark}(a|b)`, `${mark}a`],
  [`${mark}\\w`, `${mark}a`],
  [`^${mark}c$`, `${mark}c`],
  [`${mark}{1,2}`, `${mark}${mark.slice(-1)}`],
  [`${mark}|d`, `d${mark}`.slice(1)],
]

/** Names that objects, arrays and databases have before anybody set them. */
const builtInNames = [
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__proto__',
  'prototype',
  'length',
  'size',
  'keys',
  'get',
  'null',
  'undefined',
  'true',
  'NaN',
  '0',
  '1',
  '-1',
]

/** Expects a todoStatus on things that are todos with a given status, and none on the others. */
const expectTodo = (response: SyncResponse, id: string, isTodo: boolean, tags: string, because: string): void => {
  const thing = expectThing(response, id, 'phone created it')
  const expected = `${isTodo ? 'todoStatus true' : 'no todoStatus'} on a thing with the tags ${showValue(tags)}, because ${because}`
  const came = Object.hasOwn(thing, 'todoStatus') ? showValue(thing.todoStatus) : 'it has none'
  expect(isTodo ? thing.todoStatus === true : !Object.hasOwn(thing, 'todoStatus'), expected, came, response)
}

const expectMatches = async (
  lab: Lab,
  names: readonly string[],
  carriers: readonly string[],
  others: readonly string[],
): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  await setTags(phone, Object.fromEntries(names.map((name): [string, Settings] => [name, { ...off, todo: true }])))
  const from = await laptop.position()
  const todoIds = await createTagged(phone, carriers, true)
  const otherIds = await createTagged(phone, others)
  const incremental = await laptop.sync({ from })
  const because = `${names.map((name) => showValue(name)).join(', ')} ${names.length === 1 ? 'is' : 'are'} for todos`
  for (const [index, id] of todoIds.entries()) {
    if (id !== undefined) expectTodo(incremental, id, true, carriers[index] ?? '', because)
  }
  for (const [index, id] of otherIds.entries()) {
    if (id !== undefined) expectTodo(incremental, id, false, others[index] ?? '', because)
  }
}

/** All eight combinations of settings. */
const combinations = [true, false].flatMap((favorite) =>
  (['#12ab9f', false] as const).flatMap((color) => [true, false].map((todo): Settings => ({ favorite, color, todo }))),
)

/** Each combination with one setting changed: 24 steps. */
const steps = combinations.flatMap((before) => [
  { before, after: { ...before, favorite: !before.favorite } },
  { before, after: { ...before, color: before.color === false ? ('#12ab9f' as const) : (false as const) } },
  { before, after: { ...before, todo: !before.todo } },
])

const withoutStatus = (thing: object | undefined): unknown => {
  const { todoStatus: _, ...rest } = (thing ?? {}) as { todoStatus?: unknown }
  return rest
}

const describeSettings = ({ favorite, color, todo }: Settings): string =>
  `favorite ${favorite}, color ${color}, todo ${todo}`

/** Todos by the tag that makes them (interface 2.1: "a todo is marked through a special tag"). */
export const todoTagRules = coreRulesOf('2.1', [
  {
    id: 'TODO-MATCH-01',
    title: 'MUST take for todos exactly the things that carry the tag as a whole word between spaces',
    requirements: ['C-2.1-9', 'C-2.2-3', 'C-2.1-4'],
    basis: 'implied',
    faults: [
      'todo-by-word-border',
      'todo-by-any-blank',
      'todo-by-comma-list',
      'todo-by-small-letters',
      'todo-without-signs',
      'todo-by-joined-tags',
      'todo-single-spaces-only',
      'todo-by-first-tag',
    ],
    check: (lab) => expectMatches(lab, [lab.mark], carriersOf(lab.mark), nearMissesOf(lab.mark)),
  },
  {
    id: 'TODO-MATCH-02',
    title: 'MUST take for todos the things that carry a tag with signs of a pattern, and not what the pattern matches',
    requirements: ['C-2.1-9', 'C-2.2-3'],
    basis: 'implied',
    faults: ['todo-by-like', 'todo-by-glob', 'todo-by-expression', 'todo-pattern-names-lost'],
    check: (lab) => {
      const list = patterns(lab.mark)
      const names = list.map(([name]) => name)
      return expectMatches(
        lab,
        names,
        names.map((name) => `a ${name} b`),
        list.map(([, matched]) => `a ${matched} b`),
      )
    },
  },
  {
    id: 'TODO-MATCH-03',
    title: 'MUST take for todos the things that carry a tag with letters of any script, and not similar ones',
    requirements: ['C-2.1-9', 'C-2.2-3'],
    basis: 'implied',
    faults: ['todo-without-accents', 'todo-ascii-names-only', 'todo-normalized'],
    check: (lab) => {
      const words = ['café', 'tâche', 'Straße', 'дело', '買い物', 'ΤΕΛΟΣ', '🛒', 'İş', 'ﬁn']
      const similar = ['cafe', 'cafe\u0301', 'tache', 'Strasse', 'STRASSE', 'ДЕЛО', '買物', 'τελος', '🛍', 'is', 'fin']
      return expectMatches(
        lab,
        words.map((word) => `${lab.mark}${word}`),
        words.map((word) => `b ${lab.mark}${word}`),
        similar.map((word) => `b ${lab.mark}${word}`),
      )
    },
  },
  {
    // Nobody made these tags special: names that a language knows by itself are no settings.
    id: 'TODO-NAME-01',
    title: 'MUST NOT take things for todos whose tags have a name that a language or a database knows by itself',
    requirements: ['C-2.1-9', 'C-2.2-3'],
    basis: 'implied',
    faults: ['todo-by-inherited-name', 'todo-by-number-name', 'todo-by-null-name'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const { tags } = await laptop.listAll()
      const names = builtInNames.filter((name) => (tags.get(name)?.todo ?? false) === false)
      const from = await laptop.position()
      const texts = names.map((name) => `${lab.mark} ${name}`)
      const ids = await createTagged(phone, [...names, ...texts])
      const incremental = await laptop.sync({ from })
      for (const [index, id] of ids.entries()) {
        const text = [...names, ...texts][index] ?? ''
        if (id !== undefined) expectTodo(incremental, id, false, text, 'none of these tags is for todos')
      }
    },
  },
  {
    id: 'TODO-NAME-02',
    title: 'MUST take for todos the things whose todo tag has a name that a language or a database knows by itself',
    requirements: ['C-2.1-9', 'C-2.2-3'],
    basis: 'implied',
    faults: ['todo-tag-zero-lost', 'todo-tag-word-lost', 'todo-tag-inherited-lost'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const { tags } = await phone.listAll()
      // Settings that the account has already are not touched.
      const names = builtInNames.filter((name) => !tags.has(name))
      const unset = Object.fromEntries(names.map((name): [string, Settings] => [name, { ...off }]))
      lab.afterwards(() => setTags(phone, unset))
      await expectMatches(
        lab,
        names,
        names.map((name) => `${lab.mark} ${name}`),
        names.map((name) => `x${name} ${name}x`),
      )
    },
  },
  {
    id: 'TODO-STATE-01',
    title: 'MUST list no thing when one setting of a tag changes, whatever the other settings are',
    section: '4.3',
    requirements: ['C-4.3-26', 'C-2.2-4', 'C-3-2', 'C-2.1-9'],
    faults: [
      'todo-on-lists-things',
      'todo-off-lists-things',
      'todo-on-clears-status',
      'todo-color-clears-status',
      'todo-favorite-ends-todo',
      'todo-off-changes-date',
      'todo-off-sticks-without-status',
      'todo-off-takes-other-settings',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const names = steps.map((_, index) => `${lab.mark}s${index}`)
      const settingsOf = (which: 'before' | 'after') =>
        Object.fromEntries(steps.map((step, index): [string, Settings] => [names[index] ?? '', step[which]]))
      await setTags(phone, settingsOf('before'))
      const date = 1_234_567_890
      const done = await phone.createMany(names.map((tags) => ({ tags, date, todoStatus: true, html: '<p>x</p>' })))
      const plain = await phone.createMany(names.map((tags) => ({ tags, date, url: 'https://example.org/' })))
      const start = await laptop.listAll()
      await setTags(phone, settingsOf('after'))
      const incremental = await laptop.sync({ from: start.pos })
      const { things, thingCount } = incremental.json
      const none = 'no things and no thingCount, because phone changed tag settings alone'
      expect(things === undefined && thingCount === undefined, none, showValue({ things, thingCount }), incremental)
      const full = await laptop.listAll()
      for (const [index, { before, after }] of steps.entries()) {
        const name = names[index] ?? ''
        const because = `phone changed ${name} from ${describeSettings(before)} to ${describeSettings(after)}`
        const { favorite, color, todo } = expectTag(incremental, name, because)
        const came = [favorite, lowerCase(color), todo !== false]
        expectSame(came, [after.favorite, after.color, after.todo], `favorite, color and todo: ${because}`, incremental)
        const [doneId = '', plainId = ''] = [done[index], plain[index]]
        for (const id of [doneId, plainId]) {
          const thing = expectThing(full, id, 'phone created it')
          expectSame(
            withoutStatus(thing),
            withoutStatus(start.things.get(id)),
            `thing ${id} as before; ${because}`,
            full,
          )
        }
        if (after.todo) expectTodo(full, doneId, true, name, because)
        else expectTodo(full, plainId, false, name, because)
      }
    },
  },
  {
    // The status belongs to the thing (interface 3): it is as it was last set, when the thing is a todo again.
    id: 'TODO-STATE-02',
    title: 'MUST return each todoStatus as it was last set when todo of a tag is switched off and on again',
    section: '3',
    requirements: ['C-3-2', 'C-2.1-9'],
    basis: 'implied',
    faults: ['todo-off-forgets-status', 'todo-on-again-done', 'todo-off-sticks-without-status', 'todo-by-first-tag'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const second = lab.unique()
      await phone.setTag(lab.mark, { ...off, todo: true })
      const [done = '', open = '', untouched = '', twice = ''] = await phone.createMany([
        { tags: lab.mark, todoStatus: true },
        { tags: lab.mark, todoStatus: false },
        { tags: lab.mark },
        { tags: `${lab.mark} ${second}`, todoStatus: true },
      ])
      for (let round = 0; round < 2; round += 1) {
        await phone.setTag(lab.mark, { ...off, favorite: round === 0 })
        const without = await laptop.listAll()
        expectTodo(without, untouched, false, lab.mark, 'phone switched todo of the tag off, and gave it no status')
        await phone.setTag(second, { ...off, todo: true })
        const other = await laptop.listAll()
        expectTodo(other, twice, true, second, `phone switched todo of ${second} on`)
        await phone.setTag(second, { ...off })
        await phone.setTag(lab.mark, { favorite: false, color: '#010203', todo: true })
        const again = await laptop.listAll()
        const came = [done, open, twice].map((id) => expectThing(again, id, 'phone created it').todoStatus ?? null)
        const expected = 'todoStatus of three things as phone set it, because todo of their tag is on again'
        expectSame(came, [true, false, true], expected, again)
      }
    },
  },
])
