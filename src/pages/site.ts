/** Where the pages of this server are, as the browser of one request sees it. */
export interface Site {
  /** Scheme, host and port. */
  readonly origin: string
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
  readonly host: string | undefined
  readonly isEncrypted: boolean
}

const hostForm = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i

/**
 * Finds the site for a request. With a base address (`--base-url`) it is that one, whatever a proxy makes of the request;
 * without one it is made of the Host header, so that a server on all addresses works at each of them.
 */
export const createFindSite = (basePath: string, baseUrl: string | undefined): ((arrival: Arrival) => Site) => {
  const prefix = basePath.replace(/\/(v1\/)?$/, '')
  const describe = (origin: string): Site => ({
    origin,
    prefix,
    isSecure: origin.startsWith('https:'),
    baseUrl: `${origin}${basePath}`,
    href: (path) => `${prefix}${path}`,
  })
  if (baseUrl !== undefined) {
    const site = describe(new URL(baseUrl).origin)
    return () => site
  }
  return ({ host = '', isEncrypted }) => {
    const scheme = isEncrypted ? 'https' : 'http'
    return describe(`${scheme}://${hostForm.test(host) ? host.toLowerCase() : 'localhost'}`)
  }
}
