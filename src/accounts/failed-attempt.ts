import type { RefusalKind } from '../refused.ts'
import { showAddress } from './address-key.ts'

/** Why an attempt failed; `limit`: it was not even judged. */
export type FailureReason = 'password' | 'client' | 'request_token' | 'code' | 'link' | 'limit'

/** The refusals that count as failed attempts. */
export const failureReasons: Readonly<Partial<Record<RefusalKind, FailureReason>>> = {
  passwordInvalid: 'password',
  clientInvalid: 'client',
  requestTokenInvalid: 'request_token',
  codeInvalid: 'code',
  codeRedirectWrong: 'code',
  codeVerifierMissing: 'code',
  codeVerifierWrong: 'code',
  codeVerifierUnexpected: 'code',
  linkInvalid: 'link',
  tooManyAttempts: 'limit',
  signInsBusy: 'limit',
}

/** An attempt that failed, for the log. */
export interface FailedAttempt {
  readonly address: string
  readonly reason: FailureReason
  /** The name as it was typed, if one was. */
  readonly username?: string
  readonly requestId?: string
  /** The user has a hash that no password is checked against, so that no password is right. */
  readonly isHashUncheckable?: true
}

/** What the log says to the administrator of such a hash; the line about the attempt names the user. */
export const uncheckableHash =
  'the password of this user cannot be checked: its hash has another form than argon2id, or costs too much; give the user a new password with "user reset-password"'

const mostShownCharacters = 64

/**
 * The line of the log about a failed attempt, which programs like fail2ban read (docs/operations.md). What a stranger
 * wrote stands last, without spaces, quotes and the like, so that it can be taken for nothing else.
 */
export const describeFailedAttempt = ({ address, reason, username }: FailedAttempt): string => {
  const line = `sign-in failed from ${showAddress(address)}: reason=${reason}`
  if (username === undefined) return line
  const shown = [...username.slice(0, 4 * mostShownCharacters)].slice(0, mostShownCharacters).join('')
  return `${line} user=${shown.replace(/[^\p{L}\p{N}._@+-]/gu, '?')}`
}
