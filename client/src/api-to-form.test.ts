import { expect, test } from 'vitest'
import { toForm } from './api.ts'

test('a request becomes the published form', () => {
  const form = toForm({
    from: 7,
    new_thing: [{ local_id: 1, title: 'ключ & co', url: null, html: '' }],
    deleted_thing: ['a', 'b'],
    'skip_id[]': ['c', 'd'],
    tag: { 'a]b': { color: false, todo: null }, __proto: '{}' },
    url: '',
    date: null,
    prevent_duplicate: true,
    html: undefined,
  })

  expect([...new URLSearchParams(form)]).toEqual([
    ['from', '7'],
    ['new_thing', '[{"local_id":1,"title":"ключ & co","html":""}]'],
    ['deleted_thing', '["a","b"]'],
    ['skip_id[]', 'c'],
    ['skip_id[]', 'd'],
    ['tag[a]b]', '{"color":false}'],
    ['tag[__proto]', '{}'],
    ['url', ''],
    ['prevent_duplicate', 'true'],
  ])
})
