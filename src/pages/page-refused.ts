import { AccountRefused } from '../accounts/account-refused.ts'
import { Refused } from '../refused.ts'
import { StoreFailed } from '../store/store.ts'
import { sayRefused } from './say-refused.ts'

/** What a page says when something is refused: what happened, and what to do. */
export interface Refusal {
  readonly status: number
  readonly title: string
  readonly happened: string
  readonly advice: string
}

const refusals = {
  unknown: {
    status: 404,
    title: 'There is no such page',
    happened: 'Nothing is at this address, or it is not for this account.',
    advice: 'Check the address, or begin at the start page.',
  },
  method: {
    status: 405,
    title: 'This address does not take that',
    happened: 'The page was asked in a way that it does not know.',
    advice: 'Open it from a link.',
  },
  strange: {
    status: 403,
    title: 'This form came from somewhere else',
    happened: 'It was sent by a page of another site, so nothing was done.',
    advice: 'If you wanted this, open the page here and send its form.',
  },
  stale: {
    status: 403,
    title: 'This form is too old',
    happened: 'It was made before you signed in or out, or your browser keeps no cookies. Nothing was done.',
    advice: 'Go back, load the page again, and send the form once more. Cookies have to be allowed for this site.',
  },
  type: {
    status: 415,
    title: 'This form cannot be read',
    happened: 'Forms of these pages are application/x-www-form-urlencoded. Nothing was done.',
    advice: 'Open the page in a browser and send its form.',
  },
} as const satisfies Record<string, Refusal>

/** Thrown where a page refuses; shown as a page in one place. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused'
  readonly refusal: Refusal
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: keyof typeof refusals | Refusal, headers: Readonly<Record<string, string>> = {}) {
    const refusal = typeof kind === 'string' ? refusals[kind] : kind
    super(refusal.happened)
    this.refusal = refusal
    this.headers = headers
  }
}

const titles: Readonly<Record<number, string>> = {
  413: 'That is too much',
  429: 'Too many attempts',
  503: 'The server cannot do this now',
}

const advices: Readonly<Record<number, string>> = {
  413: 'Go back and send less.',
  429: 'Wait a moment, then try again.',
  503: 'Try again in a minute. If it stays like this, tell the person who runs the server: its disk may be full.',
}

const hostAdvice =
  'Open this server by its name or IP address. If you did, a proxy in front of it changes the Host header: tell the person who runs the server.'

/** Of what the page offered when it was made: two may do the same at once. */
const changedMeanwhile = 'Somebody may have changed it in the meantime: go back, and load the page again.'

/** What is shown for an error; undefined for a bug. */
export const describeError = (error: unknown): PageRefused | undefined => {
  if (error instanceof PageRefused) return error
  if (error instanceof StoreFailed) return describeError(new Refused('storeUnavailable'))
  if (error instanceof AccountRefused) {
    const happened = `${sayRefused(error)} Nothing was done.`
    return new PageRefused({ status: 409, title: 'This cannot be done', happened, advice: changedMeanwhile })
  }
  if (!(error instanceof Refused)) return undefined
  const { status, message, details, kind } = error
  const headers: Record<string, string> = {}
  if (status === 429) headers['retry-after'] = String(details.retryAfterSeconds)
  if (status === 503) headers['retry-after'] = '30'
  const title = titles[status] ?? 'This cannot be done'
  const advice = kind === 'hostInvalid' ? hostAdvice : (advices[status] ?? 'Go back, correct it, and try again.')
  return new PageRefused({ status, title, happened: `${message}.`, advice }, headers)
}

/** What is shown for a bug. */
export const fault: Refusal = {
  status: 500,
  title: 'Something is broken here',
  happened: 'The server failed to make this page. It is not your fault; the log of the server says more.',
  advice: 'Try again. If it happens again, tell the person who runs the server.',
}
