import { expect, test } from 'vitest'
import { expectSame } from './expect.ts'
import { Finding } from './result.ts'

const at = { exchange: { who: 'phone', method: 'GET', url: 'http://127.0.0.1/', ms: 0, requestHeaders: {} } }

const findingOf = (actual: unknown, wanted: unknown): readonly string[] => {
  try {
    expectSame(actual, wanted, 'the thing', at)
    return []
  } catch (error) {
    if (error instanceof Finding) return [error.expected, error.actual]
    throw error
  }
}

test('a finding about two things names only the fields that differ', () => {
  const thing = { title: 'Milk', date: 1, html: null, archived: true }

  expect(findingOf({ ...thing, html: '<h1>x</h1>' }, thing)).toEqual([
    'the thing: {"html":null}',
    '{"html":"<h1>x</h1>"} came',
  ])
  expect(findingOf({ title: 'Milk' }, thing)).toEqual([`the thing: ${JSON.stringify(thing)}`, '{"title":"Milk"} came'])
  expect(findingOf(thing, { ...thing })).toEqual([])
})
