import { showValue } from '../encoding.ts'
import { expect, expectSame, expectTag, expectThing } from '../expect.ts'
import { coreRulesOf } from '../rule.ts'
import { off, type TagSettings } from '../sync-messages.ts'
import { expectNamed, lowerCase, skipIfRejected } from './upload-steps.ts'

/** All eight combinations of the three settings. */
const combined = [true, false].flatMap((favorite) =>
  ['#12ab9f', false as const].flatMap((color) =>
    [true, false].map((todo): Required<TagSettings> => ({ favorite, color, todo })),
  ),
)

const shown = ({
  favorite,
  color,
  todo,
}: {
  favorite?: unknown
  color?: unknown
  todo?: unknown
}): readonly unknown[] => [
  favorite,
  lowerCase(color),
  todo === false ? false : todo === true || todo === 'strike' || todo === 'dont-strike',
]

/** Tag settings: names, values, and their relation to things (interface 2.1, 2.2). */
export const tagNameRules = coreRulesOf('2.2', [
  {
    id: 'TAG-NAME-03',
    title: 'MUST keep the settings of tags whose names mean something to a path, a pattern or a query',
    requirements: ['C-2.2-1', 'C-2.2-4'],
    basis: 'implied',
    faults: [
      'tag-name-dots-nested',
      'tag-name-slash-cut',
      'tag-name-dollar-lost',
      'tag-name-percent-decoded',
      'tag-name-quotes-escaped',
      'tag-name-hash-lost',
      'tag-name-colon-cut',
      'tag-name-plus-becomes-blank',
      'tag-name-comma-split',
      'tag-name-symbols-lost',
      'tag-name-star-matches',
    ],
    check: async (lab) => {
      const { mark } = lab
      await expectNamed(lab, [
        `${mark}.b`,
        `${mark}/b`,
        `../${mark}`,
        `$${mark}`,
        `${mark}*`,
        `${mark}%41`,
        `${mark}%`,
        `${mark}_`,
      ])
      await expectNamed(lab, [
        `${mark}"b`,
        `'${mark}'`,
        `#${mark}`,
        `@${mark}`,
        `${mark}:b`,
        `${mark};b`,
        `${mark},b`,
        `${mark}\\b`,
      ])
      await expectNamed(lab, [
        `${mark}+b`,
        `${mark}&b`,
        `${mark}=b`,
        `${mark}?b`,
        `<${mark}>`,
        `!${mark}`,
        `-${mark}`,
        `(${mark}|b)`,
      ])
    },
  },
  {
    id: 'TAG-NAME-04',
    title: 'MUST keep the settings of tags whose names look like numbers or like words of the interface',
    requirements: ['C-2.2-1', 'C-2.2-4'],
    basis: 'implied',
    faults: [
      'tags-list-for-numbers',
      'tag-name-number-lost',
      'tag-name-leading-zeros-lost',
      'tag-name-setting-lost',
      'tag-name-inherited-lost',
      'tag-name-word-lost',
    ],
    alone: true,
    check: async (lab) => {
      const all = [
        '0',
        '1',
        '007',
        '1e3',
        'null',
        'true',
        'favorite',
        'color',
        'todo',
        'length',
        'toString',
        '__proto__',
        'tag',
      ]
      const known = (await (await lab.replica('laptop')).listAll()).tags
      // These tags carry no mark: a tag in use is left alone. Default settings may come from an earlier run.
      const isFree = (name: string): boolean =>
        Object.values(known.get(name) ?? {}).every((value) => value === false || value === null)
      const names = all.filter(isFree)
      for (const some of [names.slice(0, 2), names.slice(2, 7), names.slice(7)]) {
        if (some.length > 0) await expectNamed(lab, some)
      }
    },
  },
  {
    id: 'TAG-NAME-05',
    title: 'MUST NOT cut a long tag name that it takes, nor mix up two that begin alike',
    requirements: ['C-2.2-1', 'C-2.2-4'],
    basis: 'implied',
    faults: ['tag-name-cut-at-50', 'tag-name-cut-at-255', 'tag-name-begins-so'],
    check: async (lab) => {
      const [middle, long] = [lab.unique().padEnd(40, 'm'), lab.unique().padEnd(90, 'n')]
      await expectNamed(lab, [lab.mark, `${lab.mark}1`, `${lab.mark}12`, `${middle}1`, `${middle}2`])
      const names = [`${long}1`, `${long}2`, long.padEnd(400, 'o')]
      const tag = Object.fromEntries(names.map((name) => [name, { ...off, favorite: true }]))
      await skipIfRejected(lab, 'names of tags of 400 characters', { tag })
      await expectNamed(lab, names)
    },
  },
  {
    id: 'TAG-COLOR-03',
    title: 'MUST keep every color, also those that look like numbers or like nothing',
    requirements: ['C-2.2-2', 'C-4.3-13'],
    basis: 'implied',
    faults: [
      'color-black-is-none',
      'color-white-is-none',
      'color-number-evaluated',
      'color-digits-lost',
      'color-palette',
      'color-shortened',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const colors = ['#000000', '#ffffff', '#123456', '#1e1000', '#00ff00', '#aabbcc', '#000001', '#7f7f7f']
      const tag = Object.fromEntries(colors.map((color) => [`${lab.mark}${color.slice(1)}`, { ...off, color }]))
      await phone.sync({ from, tag })
      const incremental = await laptop.sync({ from })
      const came = Object.keys(tag).map((name) => lowerCase(incremental.tags.get(name)?.color ?? null))
      expectSame(came, colors, 'the colors of eight tags as phone set them', incremental)
    },
  },
  {
    id: 'TAG-APART-01',
    title: 'MUST keep favorite, color and todo of a tag apart, in every combination',
    requirements: ['C-2.2-1', 'C-2.2-2', 'C-2.2-3', 'C-4.3-13'],
    basis: 'implied',
    faults: [
      'favorite-needs-color',
      'color-makes-favorite',
      'todo-makes-favorite',
      'todo-drops-color',
      'favorite-drops-todo',
      'color-drops-todo',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const names = combined.map(() => lab.unique())
      await phone.sync({
        from,
        tag: Object.fromEntries(combined.map((settings, index) => [names[index] ?? '', settings])),
      })
      const incremental = await laptop.sync({ from })
      for (const [index, settings] of combined.entries()) {
        const came = expectTag(incremental, names[index] ?? '', `phone set ${JSON.stringify(settings)}`)
        expectSame(shown(came), shown(settings), 'favorite, color and todo as phone set them', incremental)
      }
    },
  },
  {
    id: 'TAG-APART-02',
    title: 'MUST list a tag in an incremental sync whichever of its settings changed, and keep the others',
    requirements: ['C-4.3-26', 'C-4.3-5', 'C-2.2-1'],
    basis: 'implied',
    faults: [
      'tag-color-unlisted',
      'tag-todo-unlisted',
      'tag-favorite-off-unlisted',
      'tag-off-dropped',
      'tag-off-unlisted',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const steps: readonly [TagSettings, TagSettings][] = combined.map((settings) => [
        settings,
        { favorite: settings.favorite !== true, color: settings.color, todo: settings.todo },
      ])
      const more: readonly [TagSettings, TagSettings][] = [
        [off, { ...off, color: '#112233' }],
        [
          { ...off, color: '#112233' },
          { ...off, color: '#332211' },
        ],
        [{ ...off, color: '#112233' }, off],
        [off, { ...off, todo: true }],
        [{ ...off, todo: true }, off],
        [{ favorite: true, color: '#112233', todo: true }, off],
      ]
      const all = [...steps, ...more].map((pair) => ({ name: lab.unique(), pair }))
      const stepsOf = (index: 0 | 1) => Object.fromEntries(all.map(({ name, pair }) => [name, pair[index]]))
      await phone.sync({ from: await phone.position(), tag: stepsOf(0) })
      const from = await laptop.position()
      await phone.sync({ from, tag: stepsOf(1) })
      const incremental = await laptop.sync({ from })
      for (const { name, pair } of all) {
        const came = expectTag(
          incremental,
          name,
          `phone changed them from ${JSON.stringify(pair[0])} to ${JSON.stringify(pair[1])}`,
        )
        expectSame(shown(came), shown(pair[1]), 'favorite, color and todo as phone set them last', incremental)
      }
    },
  },
  {
    // "A change of tag settings alone yields a response with pos and tags and no things" (rule 2), also for a used tag.
    id: 'TAG-THINGS-01',
    title: 'MUST NOT touch the things that carry a tag when its settings change',
    requirements: ['C-4.3-26', 'C-2.2-4'],
    faults: [
      'incremental-omits-tags',
      'tag-write-lists-things',
      'tag-write-empties-tags',
      'tag-write-archives',
      'tag-write-deletes-things',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const ids = await phone.createMany([{ tags: lab.mark }, { tags: `a ${lab.mark}` }, {}])
      const before = await laptop.listAll()
      const from = before.pos
      await phone.setTag(lab.mark, { favorite: true, color: '#445566', todo: false })
      const [incremental, full] = [await laptop.sync({ from }), await laptop.listAll()]
      expectTag(incremental, lab.mark, 'phone set them')
      const { things } = incremental.json
      expect(things === undefined, 'no things, because only tag settings changed', showValue(things), incremental)
      const fields = ['title', 'tags', 'date', 'archived', 'todoStatus']
      const pick = (id: string, response: typeof full) =>
        Object.fromEntries(fields.map((field) => [field, response.things.get(id)?.[field] ?? null]))
      for (const id of ids)
        expectSame(pick(id, full), pick(id, before), `${fields.join(', ')} of ${id} as before`, full)
    },
  },
  {
    id: 'TAG-THINGS-02',
    title: 'MUST keep the settings of a tag whatever is done to the things that carry it',
    requirements: ['C-2.2-1', 'C-4.3-25'],
    basis: 'implied',
    faults: [
      'last-deletion-drops-settings',
      'creation-resets-settings',
      'retagging-drops-settings',
      'archiving-drops-settings',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const names = [lab.unique(), lab.unique(), lab.unique(), lab.unique()]
      const [one = '', two = '', three = '', four = ''] = names
      const settings = { favorite: true, color: '#667788', todo: true } as const
      const [removed = '', retagged = '', archived = ''] = await phone.createMany([
        { tags: one },
        { tags: two },
        { tags: three },
      ])
      await phone.sync({ from: await phone.position(), tag: Object.fromEntries(names.map((name) => [name, settings])) })
      await phone.remove(removed)
      await phone.change(retagged, { tags: '' })
      await phone.change(archived, { tags: three, archived: true })
      await phone.create({ tags: four })
      const full = await laptop.listAll()
      for (const [index, name] of names.entries()) {
        const did = [
          'deleted the only thing with it',
          'took it from the only thing',
          'archived the only thing with it',
          'created a thing with it',
        ]
        expectSame(
          shown(expectTag(full, name, `phone set them and ${did[index]}`)),
          shown(settings),
          `settings of a tag after phone ${did[index]}`,
          full,
        )
      }
    },
  },
  {
    id: 'TAG-TODO-03',
    title: 'MUST take for todos the things that carry the tag, wherever it stands in their tags, and no others',
    section: '2.1',
    requirements: ['C-2.1-9', 'C-2.2-3'],
    basis: 'implied',
    faults: [
      'todo-by-part-of-tag',
      'todo-by-beginning-of-tag',
      'todo-by-pattern',
      'todo-by-title',
      'todo-first-tag-only',
      'todo-last-tag-only',
      'todo-by-number-of-tags',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const name = `${lab.mark}.todo`
      await phone.setTag(name, { ...off, todo: true })
      const [a, b] = [`${lab.mark}a`, `${lab.mark}b`]
      const todos = [name, `${name} ${b}`, `${a} ${name} ${b}`, `${b} ${a} ${name}`]
      const others = [`x${name}`, `${name}x`, `${lab.mark}xtodo`, lab.mark, `${a} ${b} ${a}a`, `${a} ${name}x ${b}`, '']
      const from = await laptop.position()
      const ids = await phone.createMany(
        [...todos, ...others].map((tags, index) => ({ tags, title: index === 10 ? `a ${name}` : lab.unique() })),
      )
      const incremental = await laptop.sync({ from })
      for (const [index, tags] of [...todos, ...others].entries()) {
        const thing = expectThing(incremental, ids[index] ?? '', 'phone created it')
        const expected = `whether a thing with the tags ${showValue(tags)} has a todoStatus, ${name} being the todo tag`
        // A todo without a given status may be shown without one (interface 2.1 does not define its status).
        const isTodo = index < todos.length
        if (!isTodo || Object.hasOwn(thing, 'todoStatus'))
          expectSame(Object.hasOwn(thing, 'todoStatus'), isTodo, expected, incremental)
      }
      await phone.sync({
        from,
        changed_thing: todos.map((tags, index) => ({
          _id: ids[index] ?? '',
          title: lab.unique(),
          tags,
          todoStatus: true,
        })),
      })
      const next = await laptop.sync({ from })
      for (const [index, tags] of todos.entries()) {
        const thing = expectThing(next, ids[index] ?? '', 'phone changed it')
        expectSame(thing.todoStatus ?? null, true, `todoStatus of a done thing with the tags ${showValue(tags)}`, next)
      }
    },
  },
])

/** Names that look or compare equal but are different tags (interface 2.2: addressed by tag name). */
export const tagLikenessRules = coreRulesOf('2.2', [
  {
    id: 'TAG-NAME-06',
    title: 'MUST keep apart the settings of tags whose names differ in an accent, a case or a letter that looks alike',
    requirements: ['C-2.2-1', 'C-2.2-4'],
    basis: 'implied',
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
      // The second is Cyrillic, the third full-width, the last has an invisible character.
      await expectNamed(
        lab,
        ['pay', 'рay', 'ｐay', 'ﬁn', 'fin', 'pa\u200dy'].map((word) => `${mark}${word}`),
      )
    },
  },
  {
    id: 'TAG-NAME-07',
    title: 'MUST keep apart, and as they are, tag names in composed and in decomposed letters',
    requirements: ['C-2.2-1', 'C-2.2-4'],
    basis: 'implied',
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
    requirements: ['C-2.1-9', 'C-2.2-3'],
    basis: 'implied',
    faults: ['todo-by-accent', 'todo-by-case', 'todo-by-form'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const name = `${lab.mark}café`
      await phone.setTag(name, { ...off, todo: true })
      const others = [`${lab.mark}cafe`, name.toUpperCase(), name.normalize('NFD')]
      const from = await laptop.position()
      // No thing has a status of its own: a given status may be shown although no tag requires it (THING-TODO-04).
      const ids = await phone.createMany(others.map((tags) => ({ tags })))
      const incremental = await laptop.sync({ from })
      for (const [index, tags] of others.entries()) {
        const thing = expectThing(incremental, ids[index] ?? '', 'phone created it')
        const expected = `no todoStatus on a thing with the tag ${showValue(tags)}, ${showValue(name)} being the todo tag`
        expect(!Object.hasOwn(thing, 'todoStatus'), expected, showValue(thing), incremental)
      }
    },
  },
])

/** Names with brackets, which the form of a tag parameter uses itself (interface 4.3: `tag[<tagname>]`). */
export const tagBracketRules = coreRulesOf('2.2', [
  {
    id: 'TAG-BRACKETS-01',
    title: 'MUST keep the settings of a tag with brackets in its name under that name, unless it rejects the name',
    requirements: ['C-2.2-1', 'C-2.2-4', 'C-4.3-13'],
    basis: 'implied',
    faults: ['tag-brackets-cut', 'tag-brackets-lost', 'tag-empty-brackets-cut', 'tag-inner-brackets-nested'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const { mark } = lab
      const names = ['[b]', ']b', '[b', '[]', '[0]', '[b][c]', '][b'].map((part) => `${mark}${part}`)
      const accepted: string[] = []
      for (const name of [...names, `[${mark}]`, `[[${mark}]]`]) {
        const reply = await phone.trySync({ from, tag: { [name]: { ...off, favorite: true } } })
        if (reply.error === undefined) accepted.push(name)
      }
      const incremental = await laptop.sync({ from })
      for (const response of [incremental, await laptop.listAll()]) {
        for (const name of accepted)
          expectSame(
            expectTag(response, name, 'phone set them').favorite,
            true,
            `favorite of ${showValue(name)}`,
            response,
          )
      }
      const others = [...incremental.tags.keys()].filter((name) => name.includes(mark) && !accepted.includes(name))
      expectSame(others, [], 'tags of this rule that phone did not set', incremental)
    },
  },
])
