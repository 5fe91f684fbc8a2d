import { sealJson, sealKeyOf, unsealJson } from '../seal.ts'

/** A request from a browser, by the secret in its cookie. */
interface BrowserRequest {
  readonly sessionSecret: string | undefined
}

/** Secrets that were just made, on their way to the page that shows them. */
export interface ShownOnce {
  /** Seals a secret for the browser that is signed in; gives what to name in the address of the page that shows it. */
  readonly keep: (request: BrowserRequest, secret: string) => string
  /** Found for five minutes, so that a page that did not arrive can be loaded again. */
  readonly find: (request: BrowserRequest, key: string | undefined) => string | undefined
}

interface Kept {
  readonly until: number
  readonly secret: string
}

const keptMs = 5 * 60 * 1000
const purpose = 'shown once'

const keyOf = ({ sessionSecret }: BrowserRequest): Buffer => {
  if (sessionSecret === undefined) throw new TypeError('nobody is signed in for whom a secret could be sealed')
  return sealKeyOf(sessionSecret)
}

/**
 * Forms lead on to another page, and an address must not hold a secret: it holds one that only the cookie of the browser
 * opens, of which the server keeps nothing. So any process shows what another one made. `now` is Unix time in milliseconds.
 */
export const createShownOnce = (now: () => number): ShownOnce => ({
  keep: (request, secret) => sealJson(keyOf(request), purpose, { until: now() + keptMs, secret } satisfies Kept),
  find: (request, key) => {
    const kept = key === undefined ? undefined : (unsealJson(keyOf(request), purpose, key) as Kept | undefined)
    return kept === undefined || kept.until < now() ? undefined : kept.secret
  },
})
