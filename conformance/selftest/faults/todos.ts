import { type Behavior, plainTag, rightServer } from '../../src/model/behavior.ts'
import type { StoredTag, TagSettings, Thing } from '../../src/model/state.ts'
import { createFaults, type Fault, fault } from './fault.ts'

/** Finds todos by a search for each todo tag in the tags text of a thing. */
const searching = (matches: (tags: string, name: string) => boolean): Partial<Behavior> => ({
  isTodo: (thing, tags) =>
    [...tags].some(([name, { settings }]) => settings.todo !== false && matches(thing.fields.tags, name)),
})

/** Finds todos by the tags of a thing, split and compared in another way. */
const comparing = (split: RegExp | string, key: (tag: string) => string = (tag) => tag): Partial<Behavior> =>
  searching((tags, name) => tags.split(split).some((tag) => key(tag) === key(name)))

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The expression for a pattern of SQL or of file names. */
const likeOf = (name: string, any: string, one: string): RegExp =>
  new RegExp(
    `^${[...name].map((sign) => (sign === any ? '.*' : sign === one ? '.' : escapePattern(sign))).join('')}$`,
    'su',
  )

const expressionOf = (name: string): RegExp | undefined => {
  try {
    return new RegExp(`^(?:${name})$`)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')

/** Takes things for todos that carry a tag which is no todo tag. */
const alsoBy = (isSpecial: (tag: string) => boolean): Partial<Behavior> => ({
  isTodo: (thing, tags) => rightServer.isTodo(thing, tags) || thing.fields.tags.split(' ').some(isSpecial),
})

/** Does not know some todo tags. */
const notBy = (isLost: (tag: string) => boolean): Partial<Behavior> => ({
  isTodo: (thing, tags) => rightServer.isTodo(thing, new Map([...tags].filter(([name]) => !isLost(name)))),
})

/** Servers that find todo tags in another way than by whole words between spaces. */
export const todoMatchFaults: readonly Fault[] = [
  fault('todo-by-first-tag', 'looks at the first tag of a thing', {
    isTodo: ({ fields }, tags) => (tags.get(fields.tags.split(' ')[0] ?? '')?.settings.todo ?? false) !== false,
  }),
  ...createFaults(
    searching,
    [
      'todo-by-word-border',
      'looks for todo tags between the borders of words',
      (tags, name) => new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(name)}(?![\\p{L}\\p{N}])`, 'u').test(tags),
    ],
    [
      'todo-by-like',
      'looks for todo tags by a LIKE of SQL',
      (tags, name) => tags.split(' ').some((tag) => likeOf(name, '%', '_').test(tag)),
    ],
    [
      'todo-by-glob',
      'looks for todo tags by a pattern of file names',
      (tags, name) => tags.split(' ').some((tag) => likeOf(name, '*', '?').test(tag)),
    ],
    [
      'todo-by-expression',
      'takes todo tags for regular expressions',
      (tags, name) => tags.split(' ').some((tag) => tag === name || expressionOf(name)?.test(tag) === true),
    ],
    [
      'todo-pattern-names-lost',
      'does not find todo tags with brackets or braces',
      (tags, name) => !/[[\]{}()]/.test(name) && tags.split(' ').includes(name),
    ],
    [
      'todo-ascii-names-only',
      'does not find todo tags that are not ASCII',
      (tags, name) => /^[ -~]*$/.test(name) && tags.split(' ').includes(name),
    ],
    [
      'todo-by-joined-tags',
      'looks for todo tags in the tags without spaces',
      (tags, name) => tags.split(' ').some((tag) => tag === name || tag === `${name}${name}`),
    ],
    [
      'todo-single-spaces-only',
      'finds no todo tag beside several spaces',
      (tags, name) => !tags.includes('  ') && tags.split(' ').includes(name),
    ],
  ),
  ...createFaults(
    comparing,
    ['todo-by-any-blank', 'separates tags by any blank when it looks for todo tags', /\s+/],
    ['todo-by-comma-list', 'separates tags by commas and semicolons when it looks for todo tags', /[ ,;]+/],
    ['todo-by-small-letters', 'compares todo tags in small letters', ' ', (tag) => tag.toLowerCase()],
    ['todo-without-signs', 'compares todo tags without signs', ' ', (tag) => tag.replace(/^[#@+]|[!;]$/g, '')],
    ['todo-without-accents', 'compares todo tags without accents', ' ', withoutAccents],
    ['todo-normalized', 'compares todo tags after normalization', ' ', (tag) => tag.normalize('NFKC')],
  ),
  ...createFaults(
    alsoBy,
    ['todo-by-inherited-name', 'takes inherited names for todo tags', (tag) => tag in {}],
    ['todo-by-number-name', 'takes numbers for todo tags', (tag) => /^\d+$/.test(tag)],
    ['todo-by-null-name', 'takes the words null and undefined for todo tags', (tag) => /^(null|undefined)$/.test(tag)],
  ),
  ...createFaults(
    notBy,
    ['todo-tag-zero-lost', 'takes a todo tag called 0 for none', (tag) => tag === '0'],
    ['todo-tag-word-lost', 'does not know todo tags called true and null', (tag) => /^(true|null)$/.test(tag)],
    ['todo-tag-inherited-lost', 'does not know todo tags with inherited names', (tag) => tag in {}],
  ),
]

const carries = ({ fields }: Thing, name: string): boolean => fields.tags.split(' ').includes(name)

const isOn = (settings: TagSettings | undefined): boolean => (settings?.todo ?? false) !== false

/** Does something to each thing that carries a tag whose settings an upload changes. */
const onTagChange = (
  edit: (thing: Thing, before: TagSettings, after: TagSettings, position: number) => void,
): Partial<Behavior> => ({
  applied: (upload, _session, account, state) => {
    const tags = state.accounts.get(account.username)?.tags ?? new Map<string, StoredTag>()
    const memory = new Map([...upload.tags.keys()].map((name) => [name, tags.get(name)?.settings ?? plainTag]))
    account.memory.set('settings before', memory)
    return upload
  },
  afterWrite: (account, { tags }) => {
    const before = (account.memory.get('settings before') ?? new Map()) as ReadonlyMap<string, TagSettings>
    for (const name of tags.keys()) {
      const after = account.tags.get(name)?.settings ?? plainTag
      for (const thing of account.things.values())
        if (carries(thing, name)) edit(thing, before.get(name) ?? plainTag, after, account.position)
    }
  },
})

/** Servers to whose things something happens when a setting of their tag changes. */
export const todoStateFaults: readonly Fault[] = [
  ...createFaults(
    onTagChange,
    [
      'todo-on-lists-things',
      'lists the things of a tag that becomes a todo tag',
      (thing, before, after, position) => {
        if (!isOn(before) && isOn(after)) thing.position = position
      },
    ],
    [
      'todo-off-lists-things',
      'lists the things of a tag that is no todo tag any more',
      (thing, before, after, position) => {
        if (isOn(before) && !isOn(after)) thing.position = position
      },
    ],
    [
      'todo-on-clears-status',
      'marks the things of a new todo tag as open',
      (thing, before, after) => {
        if (!isOn(before) && isOn(after)) thing.fields.todoStatus = false
      },
    ],
    [
      'todo-on-again-done',
      'marks the things of a new todo tag as done',
      (thing, before, after) => {
        if (!isOn(before) && isOn(after)) thing.fields.todoStatus = true
      },
    ],
    [
      'todo-off-forgets-status',
      'forgets the status of things whose tag is no todo tag any more',
      (thing, before, after) => {
        if (isOn(before) && !isOn(after)) thing.fields.todoStatus = undefined
      },
    ],
    [
      'todo-color-clears-status',
      'marks the things of a todo tag as open when its color changes',
      (thing, before, after) => {
        if (before.color !== after.color) thing.fields.todoStatus = false
      },
    ],
    [
      'todo-off-changes-date',
      'gives things a new date when their tag is no todo tag any more',
      (thing, before, after) => {
        if (isOn(before) && !isOn(after)) thing.fields.date += 1
      },
    ],
  ),
  fault('todo-favorite-ends-todo', 'ends todo of a tag that is no favorite any more', {
    changedTag: (old, change) => ({
      ...rightServer.changedTag(old, change),
      ...(old.favorite && change.favorite === false ? { todo: false } : {}),
    }),
  }),
  fault('todo-off-takes-other-settings', 'drops color and favorite of a tag with its todo', {
    changedTag: (old, change) => (isOn(old) && change.todo === false ? plainTag : rightServer.changedTag(old, change)),
  }),
  fault('todo-off-sticks-without-status', 'takes things for todos whose tag was a todo tag once', {
    ...onTagChange((thing, before) => {
      if (isOn(before)) thing.writers.set(thing.author, -1)
    }),
    isTodo: (thing, tags) => rightServer.isTodo(thing, tags) || thing.writers.get(thing.author) === -1,
  }),
]
