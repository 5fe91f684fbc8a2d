import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { findClientCredentials } from './credentials.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test('credentials come from the form', () => {
  expect(findClientCredentials(undefined, { client_id: 'app', client_secret: 'se:cret' })).toEqual({
    clientId: 'app',
    clientSecret: 'se:cret',
  })
})

test('credentials come from HTTP Basic, in any letter case; the secret runs to the end', () => {
  expect(findClientCredentials(basic('app:se:cret').replace('Basic', 'bAsic'), {})).toEqual({
    clientId: 'app',
    clientSecret: 'se:cret',
  })
})

test('the parts of HTTP Basic are percent-decoded, and used unchanged when they are not encoded', () => {
  expect(findClientCredentials(basic('a%3Ap+p:%C3%A9'), {})).toEqual({ clientId: 'a:p p', clientSecret: 'é' })
  expect(findClientCredentials(basic('app:100%'), {})).toEqual({ clientId: 'app', clientSecret: '100%' })
})

test('credentials without a client id count as absent', () => {
  const forms = [{}, { client_secret: 's' }, { client_id: '', client_secret: '' }]

  expect(forms.map((form) => findClientCredentials('Bearer T', form))).toEqual(forms.map(() => undefined))
})

test('a public client sends only its id, in the form or by HTTP Basic', () => {
  const alone = { clientId: 'app' }

  expect(findClientCredentials(undefined, { client_id: 'app' })).toEqual(alone)
  expect(findClientCredentials('Bearer T', { client_id: 'app', client_secret: '' })).toEqual(alone)
  expect(findClientCredentials(basic('app:'), {})).toEqual(alone)
})

test('both ways at once are rejected, even with the same secret', () => {
  const both = new ApiError('clientTwice')

  expect(() => findClientCredentials(basic('app:s'), { client_id: 'app', client_secret: 's' })).toThrow(both)
  expect(() => findClientCredentials(basic('app:s'), { client_secret: 's' })).toThrow(both)
  expect(() => findClientCredentials(basic('app:s'), { client_id: 'other' })).toThrow(both)
})

test('the form may repeat the client_id of HTTP Basic', () => {
  expect(findClientCredentials(basic('app:s'), { client_id: 'app', client_secret: '' })).toEqual({
    clientId: 'app',
    clientSecret: 's',
  })
})

test('HTTP Basic without credentials is rejected', () => {
  for (const authorization of ['Basic', 'Basic !!', basic('app')]) {
    expect(() => findClientCredentials(authorization, {})).toThrow(new ApiError('clientInvalid'))
  }
})

test('any header gives credentials, none, or an ApiError', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        findClientCredentials(basic(text), {})
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    }),
  )
})
