import { expect, test } from 'vitest'
import { chooseWords, describeProblem, languages } from './words.ts'

const listKeys = (value: object): string[] =>
  Object.entries(value).flatMap(([key, each]) =>
    typeof each === 'object' ? listKeys(each).map((inner) => `${key}.${inner}`) : [key],
  )

test('every language has the same texts, and none of them is empty', () => {
  const [english, ...others] = languages.map(listKeys)

  for (const other of others) expect(other).toEqual(english)
  expect(JSON.stringify(languages)).not.toContain('""')
})

test('the language is the first one of the browser that there is, else English', () => {
  expect(['de-AT', 'fr', 'nb, de'].map((code) => chooseWords([code]).code)).toEqual(['de', 'en', 'en'])
  expect(chooseWords(['fr', 'de']).code).toBe('de')
})

test('a problem is a sentence; what has no text of its own shows its reason', () => {
  const words = chooseWords(['en'])

  expect(describeProblem({ code: 'network', reason: 'ECONNREFUSED' }, words)).toBe(words.problems.network)
  expect(describeProblem({ code: 'other_account', reason: 'anna' }, words)).toContain('Sign in as anna')
  expect(describeProblem({ code: 'toString', reason: 'x' }, words)).toBe('That did not work: x')
  expect(describeProblem({ code: 'rejected', reason: 'no' }, words)).toBe('The server says: no')
})
