import { type Behaviour, right } from '../server/behaviour.ts'
import type { RefusalReason } from '../server/refusal.ts'
import type { JsonObject } from '../server/world.ts'
import { type LegalDifference, legal } from './difference.ts'

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
  legal('full', 'extra-fields', 'adds fields everywhere', () => ({
    thing: (thing, isTodo) => ({ ...(right.thing(thing, isTodo) as object), modified: 1, owner: { name: 'x' } }),
    tag: (settings) => ({ ...settings, count: 3 }),
    syncAnswer: (answer) => ({ server: 'x', ...answer, hints: [] }),
    tokenAnswer: (answer) => ({ ...answer, user_id: 7 }),
    errorBody: (refusal) => ({ ...(right.errorBody(refusal) as object), request_id: 'abc' }),
  })),
  legal('core', 'errors-with-200', 'answers errors with 200', () => statuses(200)),
  legal('core', 'errors-with-400', 'answers errors with 400', () => statuses(400)),
  legal('core', 'errors-with-403', 'answers errors with 403', () => statuses(403)),
  legal('core', 'errors-with-500', 'answers errors with 500', () => statuses(500)),
  legal('core', 'other-error-codes', 'has other error codes than the stated one', () => ({
    errorBody: (refusal) => {
      const stated = right.errorBody(refusal)
      return refusal.reason === 'token-invalid' ? stated : otherCode(refusal.reason)
    },
  })),
  legal('core', 'missing-token-like-invalid', 'rejects a missing token like an invalid one', () => ({
    errorBody: (refusal) => ({
      ...(right.errorBody(refusal) as object),
      ...(refusal.reason === 'token-missing'
        ? { error: 'invalid_grant', error_description: 'The access token provided is invalid' }
        : {}),
    }),
  })),
  legal('full', 'content-type-bare', 'names no charset', () => ({ contentType: 'application/json' })),
  legal('full', 'content-type-in-capitals', 'writes the content type in another way', () => ({
    contentType: 'Application/JSON;charset="UTF-8"',
  })),
  legal('full', 'json-escaped', 'escapes everything that is not ASCII, and slashes', () => ({ encode: escapeAll })),
  legal('full', 'json-indented', 'indents its JSON and ends it with a newline', () => ({
    encode: (body) => `${JSON.stringify(body, null, 4)}\r\n`,
  })),
  legal('core', 'date-with-fractions', 'dates things exactly', () => ({ defaultDate: (now) => now / 1000 })),
]
