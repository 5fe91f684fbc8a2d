import { expect, test } from 'vitest'
import { ApiError, type ApiErrorKind, apiErrors } from '../api-error.ts'
import { createErrorResponse } from './handle-request.ts'

const kinds = Object.keys(apiErrors) as ApiErrorKind[]

test('every 401 carries Bearer first, and Basic behind it only where the client used Basic', () => {
  const unauthorized = kinds.filter((kind) => apiErrors[kind].status === 401)
  const challenge = (kind: ApiErrorKind, authorization?: string) =>
    createErrorResponse(new ApiError(kind), authorization).headers['www-authenticate']

  expect(unauthorized).toEqual(['tokenMissing', 'tokenInvalid', 'clientMissing', 'clientInvalid'])
  for (const authorization of [undefined, 'Bearer x', 'basically']) {
    expect(unauthorized.map((kind) => challenge(kind, authorization))).toEqual([
      'Bearer realm="thingsync"',
      'Bearer realm="thingsync", error="invalid_token"',
      'Bearer realm="thingsync"',
      'Bearer realm="thingsync"',
    ])
  }
  expect(unauthorized.map((kind) => challenge(kind, 'basic eDp5'))).toEqual([
    'Bearer realm="thingsync"',
    'Bearer realm="thingsync", error="invalid_token"',
    'Bearer realm="thingsync", Basic realm="thingsync"',
    'Bearer realm="thingsync", Basic realm="thingsync"',
  ])
})

test('a read-only token gets a challenge, and no other error that is not 401', () => {
  const challenge = createErrorResponse(new ApiError('tokenReadOnly')).headers['www-authenticate']
  expect(challenge).toBe('Bearer realm="thingsync", error="insufficient_scope"')
  for (const kind of kinds.filter((other) => apiErrors[other].status !== 401 && other !== 'tokenReadOnly')) {
    expect(createErrorResponse(new ApiError(kind), 'Basic eDp5').headers).not.toHaveProperty('www-authenticate')
  }
})
