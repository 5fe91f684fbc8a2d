import { expect, test } from 'vitest'
import { changeTags, listAllTags, planRename, planTagging, readTags } from './edit-form.ts'
import { createRows } from './item-parts.ts'

const openRows = (...tags: readonly string[]) => {
  const rows = createRows()
  for (const [index, text] of tags.entries())
    rows.put({ id: `${index}`, title: 't', tags: text, date: 0, archived: false, isPending: false })
  return [...rows.list()]
}
const red = { favorite: true, color: '#f00', todo: 'strike' } as const
const none = { favorite: false, color: false, todo: false } as const

test('typed tags may have number signs and commas', () => {
  expect(readTags(' #home, todo  ##x #home,')).toEqual(['home', 'todo', 'x'])
  expect(changeTags(['a', 'b'], ['b', 'c'], ['a'])).toBe('b c')
})

test('tagging changes only items whose tags differ', () => {
  expect(planTagging(openRows('a b', 'a', 'b c'), ['b'], ['c'])).toEqual([
    { kind: 'change', id: '1', fields: { tags: 'a b' } },
    { kind: 'change', id: '2', fields: { tags: 'b' } },
  ])
})

test('a renamed tag keeps its settings', () => {
  expect(planRename(openRows('old x', 'y'), new Map([['old', red]]), 'old', 'new')).toEqual([
    { kind: 'tag', name: 'new', change: red },
    { kind: 'change', id: '0', fields: { tags: 'new x' } },
    { kind: 'tag', name: 'old', change: none },
  ])
})

test('renaming a tag to an existing tag merges them and keeps the settings of the existing tag', () => {
  expect(planRename(openRows('new old', 'old'), new Map([['old', red]]), 'old', 'new')).toEqual([
    { kind: 'change', id: '0', fields: { tags: 'new' } },
    { kind: 'change', id: '1', fields: { tags: 'new' } },
    { kind: 'tag', name: 'old', change: none },
  ])
})

test('all tags are listed with counts, favorites first', () => {
  const counts = new Map([
    ['b', 2],
    ['a', 1],
    ['__proto__', 1],
  ])
  const compare = (one: string, other: string) => (one < other ? -1 : 1)

  expect(listAllTags(counts, new Map([['z', red]]), compare)).toEqual([
    { name: 'z', ...red, count: 0 },
    { name: '__proto__', ...none, count: 1 },
    { name: 'a', ...none, count: 1 },
    { name: 'b', ...none, count: 2 },
  ])
})
