import { expect, test } from 'vitest'
import type { TagSettings } from '../../client/src/index.ts'
import { listAllTags } from './edit-form.ts'
import type { Row } from './item-parts.ts'
import {
  buildTagTree,
  findTodoTag,
  findTypedTag,
  listRecentTags,
  listUnsetTodoTags,
  suggestTags,
  takeTag,
  withTodoSettings,
} from './tags.ts'

const settings = (todo: TagSettings['todo']): TagSettings => ({ favorite: false, color: false, todo })
const byName = (one: string, other: string) => (one < other ? -1 : 1)
const createTree = (counts: Readonly<Record<string, number>>) =>
  buildTagTree(listAllTags(new Map(Object.entries(counts)), new Map(), byName))

test('tags are nested at each slash, also in a tag that no item has', () => {
  const tree = createTree({ home: 1, 'work/alpha': 2, 'work/beta/old': 3, '/odd': 1, 'odd//x': 1 })

  expect(tree.map(({ name, count }) => [name, count])).toEqual([
    ['/odd', 1],
    ['home', 1],
    ['odd//x', 1],
    ['work', 5],
  ])
  const work = tree[3]
  expect(work?.tag).toBe(undefined)
  expect(work?.children.map(({ label, tag, count }) => [label, tag?.count, count])).toEqual([
    ['alpha', 2, 2],
    ['beta', undefined, 3],
  ])
})

test('a tree of tags is at most eight levels deep', () => {
  let node = createTree({ [Array.from({ length: 10_000 }, () => 'a').join('/')]: 1 })[0]
  let depth = 0
  for (; node !== undefined; node = node.children[0]) depth++

  expect(depth).toBe(8)
})

test('suggestions are recent without a text, and the best matches first with one', () => {
  const row = (tags: string, date: number) => ({ tags: tags.split(' '), date }) as unknown as Row
  const recent = listRecentTags([row('home old', 1), row('work/home shop', 3), row('home', 2), row('Über', 4)])
  expect(recent).toEqual(['Über', 'shop', 'work/home', 'home', 'old'])

  expect(suggestTags(recent, '', new Set(['shop']), 3)).toEqual(['Über', 'work/home', 'home'])
  expect(suggestTags(recent, 'ho', new Set())).toEqual(['home', 'work/home', 'shop'])
  expect(suggestTags(recent, 'uber', new Set())).toEqual(['Über'])
  expect(suggestTags(recent, 'nothing', new Set())).toEqual([])
})

test('a new to-do gets the most used to-do tag, or `todo`', () => {
  const all = new Map([
    ['later', settings('strike')],
    ['task', settings('dont-strike')],
    ['read', settings(false)],
  ])

  expect(
    findTodoTag(
      all,
      new Map([
        ['task', 2],
        ['later', 1],
        ['read', 9],
      ]),
    ),
  ).toBe('task')
  expect(findTodoTag(new Map(), new Map())).toBe('todo')
})

test('the first use of #todo makes it a to-do tag; a tag in use keeps its settings', () => {
  const steps = [{ kind: 'create', fields: { title: 'Milk', tags: 'shop Todo' } }] as const
  const set = { kind: 'tag', name: 'Todo', change: { todo: 'strike' } }

  expect(withTodoSettings(steps, new Map(), new Map())).toEqual([set, ...steps])
  expect(withTodoSettings(steps, new Map([['Todo', settings('dont-strike')]]), new Map())).toEqual(steps)
  expect(withTodoSettings(steps, new Map(), new Map([['Todo', 1]]))).toEqual(steps)
  expect(listUnsetTodoTags(new Map(), new Map([['Todo', 1]]))).toEqual(['Todo'])
  expect(listUnsetTodoTags(new Map([['Todo', settings('strike')]]), new Map([['Todo', 1]]))).toEqual([])
})

test('the tag at the caret is found and replaced, and other words are not', () => {
  const at = (line: string) => findTypedTag(line.replace('|', ''), line.indexOf('|'))

  expect(
    ['#|', 'a #ho|me b', '-#x|', 'a,#b|', '#a b|', 'C#|', '#a,|', 'a|', '|#a', ''].map((line) => at(line)),
  ).toEqual([
    { text: '', from: 1, to: 1 },
    { text: 'ho', from: 3, to: 7 },
    { text: 'x', from: 2, to: 3 },
    { text: 'b', from: 3, to: 4 },
    ...Array.from({ length: 6 }, () => undefined),
  ])
  expect(takeTag('a #ho b', { text: 'ho', from: 3, to: 5 }, 'home')).toEqual(['a #home b', 8])
  expect(takeTag('#', { text: '', from: 1, to: 1 }, 'home')).toEqual(['#home ', 6])
})
