import { Refused } from '../refused.ts'

/**
 * True for what the API refuses to somebody who has shown no access token. One that is wrong is not counted: its client has
 * to learn that it is over (401), however many requests come from the same address, and there is nothing to be guessed. So
 * isn't what asks to wait anyway.
 */
export const isStrangersRefusal = (error: unknown, userId: unknown): boolean =>
  error instanceof Refused &&
  userId === undefined &&
  error.kind !== 'tokenInvalid' &&
  error.status !== 429 &&
  error.status < 500
