import { expect, test } from 'vitest'
import { ClientError } from '../../client/src/index.ts'
import { de } from '../words/de.ts'
import { en } from '../words/en.ts'
import { describeOpening, describeProblem, describeSignIn } from './messages.ts'

const error = (code: ConstructorParameters<typeof ClientError>[0]) => new ClientError(code, 'in the words of a program')

test('each error that the user can fix has a sentence in each language', () => {
  const known = (
    ['store_full', 'store_forbidden', 'store_gone', 'store_blocked', 'store_newer', 'network'] as const
  ).map((code) => [describeProblem(error(code), en), describeProblem(error(code), de)])

  expect(known.flat().filter((sentence) => sentence.includes('program'))).toEqual([])
  expect(new Set(known.flat()).size).toBe(12)
})

test('any other thrown value is shown with its own message', () => {
  expect([error('rejected'), new Error('no'), 'text', undefined].map((one) => describeProblem(one, en))).toEqual([
    'That did not work: in the words of a program',
    'That did not work: no',
    'That did not work: text',
    'That did not work: undefined',
  ])
})

test('the sentences for opening and sign-in name the cause', () => {
  const denied = new ClientError('rejected', 'no', { error: 'access_denied' })

  expect([describeOpening(error('store_forbidden'), en), describeOpening(error('store_full'), en)]).toEqual([
    en.state.forbidden,
    en.state.full,
  ])
  expect([denied, error('not_offered'), error('unexpected_response')].map((one) => describeSignIn(one, en))).toEqual([
    en.front.denied,
    en.problem.not_offered,
    en.front.signInFailed,
  ])
})
