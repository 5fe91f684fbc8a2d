// As text, not as a parsed address: what parsers take for the same (letter case, `\`, `..`, userinfo, IDN) is not the same.
const loopbackHosts = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?((?:[/?].*)?)$/s

const withoutPort = (address: string): string | undefined => {
  const [, host, port = '1', rest] = loopbackHosts.exec(address) ?? []
  const isPort = Number(port) >= 1 && Number(port) <= 65_535
  return host === undefined || !isPort ? undefined : `${host} ${rest}`
}

/**
 * True when a redirect address is one of those that an app registered: letter by letter, except that the port of a
 * loopback address may differ, because native apps listen where there is room (contract, the web flow; RFC 8252, 7.3).
 */
export const isRegisteredRedirect = (registered: readonly string[], given: string): boolean => {
  if (registered.includes(given)) return true
  const portless = withoutPort(given)
  return portless !== undefined && registered.some((address) => withoutPort(address) === portless)
}

/** What goes back to an app in its redirect address. */
export type RedirectFields = Readonly<Record<string, string | undefined>>

/**
 * The redirect address with fields appended to its query, those that are undefined left out. Spaces are `%20`, which also
 * those read right who do not take the query for a form.
 */
export const appendToRedirect = (redirectUri: string, fields: RedirectFields): string => {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `${redirectUri}${separatorAfter(redirectUri)}${pairs.join('&')}`
}

const separatorAfter = (redirectUri: string): string => {
  if (!redirectUri.includes('?')) return '?'
  return /[?&]$/.test(redirectUri) ? '' : '&'
}

const appended: ReadonlySet<string> = new Set(['code', 'state', 'iss'])

/** What was appended to the redirect address for a code. */
interface Appended {
  readonly isCode: (given: string) => boolean
  readonly isState: (given: string) => boolean
}

/**
 * True when an address given at the token endpoint is the one that the code was sent to: the redirect address itself, or
 * followed by what was appended to it, because a client is known that sends its current address. The code in it must be
 * the one that is presented, and a state the one that went with it.
 */
export const isRedirectOfCode = (redirectUri: string, given: string, sent: Appended): boolean => {
  if (given === redirectUri) return true
  // A browser writes https://app.example with a slash behind it.
  const starts = [redirectUri, new URL(redirectUri).href].map((uri) => `${uri}${separatorAfter(uri)}`)
  const start = starts.find((one) => given.startsWith(one))
  if (start === undefined || given.includes('#')) return false
  const fields = [...new URLSearchParams(given.slice(start.length))]
  const names = fields.map(([name]) => name)
  if (new Set(names).size < names.length || names.some((name) => !appended.has(name))) return false
  if (fields.some(([name, value]) => name === 'state' && !sent.isState(value))) return false
  return fields.some(([name, value]) => name === 'code' && sent.isCode(value))
}

/**
 * What a Content-Security-Policy calls the place of a redirect address: Chromium asks for the policy of a form not only
 * at its action but wherever that redirects to.
 */
export const policySourceOf = (redirectUri: string): string => {
  const { protocol, hostname, origin } = new URL(redirectUri)
  // The grammar of policies has no IPv6 addresses, and own schemes have no origin.
  const isPlain = /^https?:$/.test(protocol) && /^[a-z0-9.-]+$/i.test(hostname)
  return isPlain ? origin : protocol
}
