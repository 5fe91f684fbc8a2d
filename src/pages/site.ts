/** The location of this server, as the browser of one request sees it. */
export interface Site {
  /** Scheme, host and port. */
  readonly origin: string
  /** True when the base URL was configured. Otherwise the client may have forged the origin. */
  readonly isConfigured: boolean
  /** The path prefix of the base URL, without a trailing slash: `` or `/things`. */
  readonly prefix: string
  /** True for https, where cookies can be protected from other hosts. */
  readonly isSecure: boolean
  /** The base URL of the API; ends in `/v1/`. */
  readonly baseUrl: string
  /** Adds the path prefix to a path of this server, for links on pages: `/account` becomes `/things/account`. */
  readonly href: (path: string) => string
}

/** The properties of a connection by which a request arrived. */
export interface Arrival {
  /** The Host header. It may be absent or invalid for HTTP/1.0, and on the page that rejects it. */
  readonly host: string | undefined
  readonly isEncrypted: boolean
}

/** A host name has at most 253 characters, and a port has at most five. */
const maxHostCharacters = 260
/** A name as resolvers accept it (no empty part, no leading hyphen), or an address in brackets; then a port. */
const hostForm = /^(?:\[[\da-f:.]+\]|\w[\w-]*(?:\.\w[\w-]*)*\.?)(?::\d{0,5})?$/i

/** Finds the origin that a Host header names, as browsers write it; undefined for an invalid host (RFC 9112, 3.2). */
export const findOrigin = (host: string, isEncrypted: boolean): string | undefined => {
  if (host.length > maxHostCharacters || !hostForm.test(host)) return undefined
  const url = `${isEncrypted ? 'https' : 'http'}://${host}`
  return URL.canParse(url) ? new URL(url).origin : undefined
}

/**
 * Creates the function that finds the site of a request. With a base URL (`--base-url`), the site is always that one,
 * however a proxy changes the request. Without one, the site comes from the Host header, so that a server that listens
 * on all addresses works at each of them.
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
  return ({ host = '', isEncrypted }) => describe(findOrigin(host, isEncrypted) ?? 'http://localhost')
}

/** The pages of this server never produce longer paths. */
const maxPathCharacters = 16_384

/**
 * Parses a path of this server, with its query, for a redirect. Undefined for a text that a browser would read as
 * another host (`//`, `/\`, control characters that it drops), for `..` segments, and for anything else.
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
 * Formats the URL of a one-time link from the base URL (`…/v1/`). The secret is in the query, which this server never
 * logs. `thingsync user link` and `user invite` print the same URL.
 */
export const formatLinkUrl = (baseUrl: string, secret: string): string =>
  `${baseUrl.replace(/v1\/$/, '')}link?key=${secret}`
