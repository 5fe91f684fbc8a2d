import { expect, test } from 'vitest'
import { checkPages, checkResponse, fillIn, findAt } from '../../../scripts/sdk-test/scenario.ts'

const step = { name: 'a step', call: 'getSync' }

test('what is expected, absent, counted and kept is each checked', () => {
  const strict = { ...step, expect: { '/pos': 3 }, absent: ['/tags'], size: { '/things': 2 }, keep: { id: '/id' } }

  expect(checkResponse(strict, { value: { pos: 3, things: [1, 2], id: 'x' } })).toEqual([])
  expect(checkResponse(strict, { value: { pos: 4, tags: {}, things: [1] } })).toEqual([
    '/pos: expected 3, got 4',
    '/tags: expected nothing, got {}',
    '/things: expected 2 members, got 1',
    '/id: is missing',
  ])
})

test('an error is checked by its status and its fields, and is wrong where a value is expected', () => {
  const failing = { ...step, error: { status: 401, error: 'invalid_grant' } }
  const response = { status: 401, error: { error: 'invalid_grant', error_description: 'no' } }

  expect(checkResponse(failing, response)).toEqual([])
  expect(checkResponse(failing, { ...response, status: 400 })).toEqual(['status: expected 401, got 400'])
  expect(checkResponse(failing, { value: {} })).toHaveLength(1)
  expect(checkResponse(step, response)).toHaveLength(1)
  expect(checkResponse(step, { failure: 'broken' })).toEqual(['got {"failure":"broken"}'])
})

test('pages must hold every thing once, at one position', () => {
  const page = (pos: number, ...ids: string[]) => ({ value: { pos, things: { changed: ids.map((_id) => ({ _id })) } } })

  expect(checkPages(3, [page(5, 'a', 'b'), page(5, 'c')])).toEqual([])
  expect(checkPages(3, [page(5, 'a', 'b'), page(5, 'b')])).toHaveLength(1)
  expect(checkPages(3, [page(5, 'a', 'b'), page(6, 'c')])).toHaveLength(1)
  expect(checkPages(3, [page(5, 'a', 'b'), { status: 500, error: {} }])).toHaveLength(1)
})

test('names stand for what was kept, and a repeat is written out', () => {
  const kept = new Map<string, unknown>([['pos', 7]])

  expect(fillIn({ from: '$pos', list: [{ repeat: 2, item: { id: 'n{n}', at: '$pos' } }] }, kept)).toEqual({
    from: 7,
    list: [
      { id: 'n1', at: 7 },
      { id: 'n2', at: 7 },
    ],
  })
  expect(() => fillIn('$unknown', kept)).toThrow('nothing was kept as $unknown')
  expect(findAt({ 'a/b': [{ __proto__x: 1 }] }, '/a~1b/0/__proto__x')).toBe(1)
  expect(findAt({}, '/constructor')).toBeUndefined()
})
