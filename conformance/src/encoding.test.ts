import { expect, test } from 'vitest'
import { encodeForm, writeUpload } from './encoding.ts'

test('one thing is written alone, several as an array or as repeated parameters', () => {
  const [a, b] = [{ title: 'a' }, { title: 'b' }]

  expect(writeUpload('new_thing', [a])).toEqual([['new_thing', '{"title":"a"}']])
  expect(writeUpload('new_thing', [a, b])).toEqual([['new_thing', '[{"title":"a"},{"title":"b"}]']])
  expect(writeUpload('new_thing', [a, b], 'repeated')).toEqual([
    ['new_thing[]', '{"title":"a"}'],
    ['new_thing[]', '{"title":"b"}'],
  ])
  expect(writeUpload('new_thing', [a], 'indexed')).toEqual([['new_thing[0]', '{"title":"a"}']])
})

test('an ID is written as it is, and as JSON only in an array of several', () => {
  expect(writeUpload('deleted_thing', ['x1'])).toEqual([['deleted_thing', 'x1']])
  expect(writeUpload('deleted_thing', ['x1', 'x2'], 'repeated')).toEqual([
    ['deleted_thing[]', 'x1'],
    ['deleted_thing[]', 'x2'],
  ])
  expect(writeUpload('deleted_thing', ['x1', 'x2'])).toEqual([['deleted_thing', '["x1","x2"]']])
})

test('a form is encoded so that every character arrives', () => {
  const pairs = [['a[]', 'ü+&=%\n📱']] as const

  expect(encodeForm(pairs)).toBe('a%5B%5D=%C3%BC%2B%26%3D%25%0A%F0%9F%93%B1')
})
