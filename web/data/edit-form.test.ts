import { expect, test } from 'vitest'
import { listChangedParts, readChangedFields, readEditDraft, toEditForm, toggleBox } from './edit-form.ts'

const thing = { id: 'a', title: 'Milk', tags: 'home', date: 60, html: '<p>oat</p>', archived: false, isPending: false }
const toDate = (seconds: number) => `at ${seconds}`
const readDate = (value: string) => (value === '' ? undefined : Number(value.slice(3)))

test('only changed fields are saved', () => {
  const begun = toEditForm(thing, toDate)

  expect(begun).toEqual({ title: 'Milk', url: '', tags: 'home', date: 'at 60', note: '<p>oat</p>', isSource: false })
  expect(readChangedFields({ begun, form: begun }, readDate)).toEqual({})
  expect(
    readChangedFields(
      { begun, form: { ...begun, note: '<p>oat</p><p>bread</p>', tags: '#home, shop', date: 'at -5' } },
      readDate,
    ),
  ).toEqual({ html: '<p>oat</p><p>bread</p>', tags: 'home shop', date: -5 })
})

test('empty fields are cleared, but an empty date keeps the previous date', () => {
  const begun = toEditForm({ ...thing, url: 'https://a.example/' }, toDate)

  expect(readChangedFields({ begun, form: { ...begun, url: ' ', note: '', date: '' } }, readDate)).toEqual({
    url: '',
    html: '',
  })
})

test('choosing how a note is edited changes nothing', () => {
  const begun = toEditForm({ ...thing, html: '<UL><li>a\r\n</li></UL>' }, toDate)

  expect(readChangedFields({ begun, form: { ...begun, isSource: true } }, readDate)).toEqual({})
})

test('a stored draft is restored unchanged', () => {
  const begun = toEditForm(thing, toDate)

  expect(readEditDraft(JSON.stringify({ begun, form: begun }))).toEqual({ begun, form: begun })
  expect(readEditDraft('')).toBeUndefined()
})

test('the parts that the user has changed are listed, so that a restored draft shows them', () => {
  const begun = { title: 'a', url: '', tags: '', date: '', note: '', isSource: false }

  expect(listChangedParts({ begun, form: begun })).toEqual([])
  expect(listChangedParts({ begun, form: { ...begun, title: 'b', note: '<p>c</p>' } })).toEqual(['title', 'note'])
  expect(listChangedParts({ begun, form: { ...begun, tags: 'x', url: 'https://a.example/' } })).toEqual([
    'tags',
    'details',
  ])
})

test('a box of a task is ticked in the note, and only that box', () => {
  const html = '<ul><li>☐ a</li><li>☑ b</li></ul>'

  expect(toggleBox(html, '☐ a☑ b', 0)).toBe('<ul><li>☑ a</li><li>☑ b</li></ul>')
  expect(toggleBox(html, '☐ a☑ b', 1)).toBe('<ul><li>☐ a</li><li>☐ b</li></ul>')
})

test('no box is ticked if the note has a box that is not shown', () => {
  expect(toggleBox('<a title="☐">x</a><ul><li>☐ a</li></ul>', 'x☐ a', 0)).toBe(undefined)
})
