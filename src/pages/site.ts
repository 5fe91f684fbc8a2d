/** Where the pages of this server are, as the browser of one request sees it. */
export interface Site {
  /** Scheme, host and port. */
  readonly origin: string
  /** Whether the base address was given. Else who asks may have made the origin up. */
  readonly isConfigured: boolean
  /** Path prefix of the base address, without a slash at its end: `` or `/things`. */
  readonly prefix: string
  /** Behind https, where cookies can be kept from everybody else. */
  readonly isSecure: boolean
  /** The base address of the API; ends in `/v1/`. */
  readonly baseUrl: string
  /** The address of a page of ours, to be used on our pages: `/account` is `/things/account`. */
  readonly href: (path: string) => string
}

/** What is known of the connection that a request came by. */
export interface Arrival {
  /** Undefined, empty or no host at all where none is needed: for HTTP/1.0, and on the page that refuses it. */
  readonly host: string | undefined
  readonly isEncrypted: boolean
}

/** A host name has at most 253 characters, and a port five. */
const maxHostCharacters = 260
/** Names as resolvers take them, without an empty part or a hyphen in front, or an address in brackets; then a port. */
const hostForm = /^(?:\[[\da-f:.]+\]|\w[\w-]*(?:\.\w[\w-]*)*\.?)(?::\d{0,5})?$/i

/** The origin that a Host header names, as browsers write it; undefined for what is no host (RFC 9112, 3.2). */
export const originOf = (host: string, isEncrypted: boolean): string | undefined => {
  if (host.length > maxHostCharacters || !hostForm.test(host)) return undefined
  const address = `${isEncrypted ? 'https' : 'http'}://${host}`
  return URL.canParse(address) ? new URL(address).origin : undefined
}

/**
 * Finds the site for a request. With a base address (`--base-url`) it is that one, whatever a proxy makes of the request;
 * without one it is made of the Host header, so that a server on all addresses works at each of them.
 */
export const createFindSite = (basePath: string, baseUrl: string | undefined): ((arrival: Arrival) => Site) => {
  const prefix = basePath.replace(/\/(v1\/)?$/, '')
  const describe = (origin: string): Site => ({
    origin,
    isConfigured: baseUrl !== undefined,
    prefix,
    isSecure: origin.startsWith('https:'),
    baseUrl: `${origin}${basePath}`,
    href: (path) => `${prefix}${path}`,
  })
  if (baseUrl !== undefined) {
    const site = describe(new URL(baseUrl).origin)
    return () => site
  }
  return ({ host = '', isEncrypted }) => describe(originOf(host, isEncrypted) ?? 'http://localhost')
}

/** Longer ones come from nobody's pages. */
const maxPathCharacters = 16_384

/**
 * A path of ours to go on to, with its query: never an address that a browser would take for another host (`//`, `/\`,
 * control characters that it drops), and nothing that climbs. Undefined for anything else.
 */
export const parseLocalPath = (given: string | undefined): string | undefined => {
  if (given === undefined || given.length > maxPathCharacters) return undefined
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(given) || given.includes('\\') || given.includes('#')) return undefined
  const origin = 'http://own.invalid'
  const url = new URL(given, origin)
  return url.origin === origin && `${url.pathname}${url.search}` === given && !url.pathname.includes('//')
    ? given
    : undefined
}

/**
 * The address of a one-time link, made of the base address (`…/v1/`). The secret is in the query, which is never logged
 * here. `thingsync user link` and `user invite` print the same.
 */
export const formatLinkUrl = (baseUrl: string, secret: string): string =>
  `${baseUrl.replace(/v1\/$/, '')}link?key=${secret}`
