import { type Behaviour, right } from '../server/behaviour.ts'
import type { RefusalReason } from '../server/refusal.ts'
import type { JsonObject } from '../server/world.ts'
import type { LegalDifference } from './difference.ts'

/** JSON in which everything that is not ASCII is escaped. */
function escapeAll(body: unknown): string {
  return JSON.stringify(body)
    .replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/')
}

function statuses(code: number): Partial<Behaviour> {
  return { errorStatus: () => code }
}

/** Other codes and texts for all errors but that of an invalid token. */
function otherCode(reason: RefusalReason): JsonObject {
  return { error: reason.toUpperCase(), error_description: 'Nein.' }
}

/** Differences in how answers look. */
export const legalAnswers: readonly LegalDifference[] = [
  {
    id: 'extra-fields',
    title: 'adds fields everywhere',
    profile: 'full',
    behaviour: () => ({
      thing: (thing, isTodo) => ({ ...(right.thing(thing, isTodo) as object), modified: 1, owner: { name: 'x' } }),
      tag: (settings) => ({ ...settings, count: 3 }),
      syncAnswer: (answer) => ({ server: 'x', ...answer, hints: [] }),
      tokenAnswer: (answer) => ({ ...answer, user_id: 7 }),
      errorBody: (refusal) => ({ ...(right.errorBody(refusal) as object), request_id: 'abc' }),
    }),
  },
  {
    id: 'errors-with-200',
    title: 'answers errors with 200',
    profile: 'core',
    behaviour: () => statuses(200),
  },
  {
    id: 'errors-with-400',
    title: 'answers errors with 400',
    profile: 'core',
    behaviour: () => statuses(400),
  },
  {
    id: 'errors-with-403',
    title: 'answers errors with 403',
    profile: 'core',
    behaviour: () => statuses(403),
  },
  {
    id: 'errors-with-500',
    title: 'answers errors with 500',
    profile: 'core',
    behaviour: () => statuses(500),
  },
  {
    id: 'other-error-codes',
    title: 'has other error codes than the stated one',
    profile: 'core',
    behaviour: () => ({
      errorBody: (refusal) => {
        const stated = right.errorBody(refusal)
        return refusal.reason === 'token-invalid' ? stated : otherCode(refusal.reason)
      },
    }),
  },
  {
    id: 'missing-token-like-invalid',
    title: 'rejects a missing token like an invalid one',
    profile: 'core',
    behaviour: () => ({
      errorBody: (refusal) => ({
        ...(right.errorBody(refusal) as object),
        ...(refusal.reason === 'token-missing'
          ? { error: 'invalid_grant', error_description: 'The access token provided is invalid' }
          : {}),
      }),
    }),
  },
  {
    id: 'content-type-bare',
    title: 'names no charset',
    profile: 'full',
    behaviour: () => ({ contentType: 'application/json' }),
  },
  {
    id: 'content-type-in-capitals',
    title: 'writes the content type in another way',
    profile: 'full',
    behaviour: () => ({ contentType: 'Application/JSON;charset="UTF-8"' }),
  },
  {
    id: 'json-escaped',
    title: 'escapes everything that is not ASCII, and slashes',
    profile: 'full',
    behaviour: () => ({ encode: escapeAll }),
  },
  {
    id: 'json-indented',
    title: 'indents its JSON and ends it with a newline',
    profile: 'full',
    behaviour: () => ({ encode: (body) => `${JSON.stringify(body, null, 4)}\r\n` }),
  },
  {
    id: 'date-with-fractions',
    title: 'dates things exactly',
    profile: 'core',
    behaviour: () => ({ defaultDate: (now) => now / 1000 }),
  },
]
