import { expect, test } from 'vitest'
import type { Reply } from './client.ts'
import { isObject, parseJson } from './encoding.ts'
import { Finding } from './result.ts'
import { readSyncResponse } from './sync-messages.ts'

const reply = (text: string, status = 200): Reply => {
  const value = parseJson(text)
  const json = isObject(value) ? value : undefined
  const error = typeof json?.error === 'string' ? json.error : undefined
  const exchange = { who: 'phone', method: 'GET', url: '', requestHeaders: {}, ms: 0 }
  return { status, headers: {}, text, isUtf8: true, json, error, exchange }
}

test('a response is read with all its lists', () => {
  const text = `{"pos": 3, "tags": {"__proto__": {"favorite": true}}, "things": {
    "new": {"__proto__": "n1"}, "changed": [{"_id": "c1"}, {"_id": "c2"}, {"_id": "c1", "title": "last"}], "deleted": ["d1"]}}`

  const response = readSyncResponse(reply(text), 'a sync')

  expect([...response.created]).toEqual([['__proto__', 'n1']])
  expect([...response.tags.keys()]).toEqual(['__proto__'])
  expect(response.changed).toEqual(['c1', 'c2', 'c1'])
  expect(response.things.get('c1')).toEqual({ _id: 'c1', title: 'last' })
  expect(response.deleted).toEqual(['d1'])
})

test('lists of another type read as empty, so that only the rules about their shape fail', () => {
  const response = readSyncResponse(
    reply('{"pos": 3, "things": {"changed": {}, "deleted": 7, "new": []}, "tags": null}'),
    '',
  )

  expect([response.changed, response.deleted, response.created.size, response.tags.size]).toEqual([[], [], 0, 0])
})

test.each([
  ['an error object', '{"error": "x", "pos": 1}', 200],
  ['a pos that is text', '{"pos": "1"}', 200],
  ['an array', '[]', 200],
  ['no JSON', '<html>', 200],
  ['a status of failure', '{"pos": 1}', 500],
])('%s is no sync response', (_name, text, status) => {
  expect(() => readSyncResponse(reply(text, status), 'a sync')).toThrow(Finding)
})
