// As text, not as a parsed URL: parsers equate URLs that differ in letter case, `\`, `..`, userinfo or IDN.
const loopbackForm = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?((?:[/?].*)?)$/s

const removeLoopbackPort = (uri: string): string | undefined => {
  const [, host, port = '1', rest] = loopbackForm.exec(uri) ?? []
  const isValidPort = Number(port) >= 1 && Number(port) <= 65_535
  return host === undefined || !isValidPort ? undefined : `${host} ${rest}`
}

/**
 * True when an app registered this redirect URI. The comparison is character by character, except that the port of a
 * loopback URI may differ: native apps listen on any free port (contract, authorization code flow; RFC 8252, 7.3).
 */
export const isRegisteredRedirect = (registered: readonly string[], given: string): boolean => {
  if (registered.includes(given)) return true
  const portless = removeLoopbackPort(given)
  return portless !== undefined && registered.some((uri) => removeLoopbackPort(uri) === portless)
}

/** The parameters of a response in a redirect URI. */
export type RedirectFields = Readonly<Record<string, string | undefined>>

/**
 * Appends fields to the query of a redirect URI and skips undefined ones. It encodes spaces as `%20`, which clients
 * read correctly even when they do not decode the query as a form.
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

const appendedNames: ReadonlySet<string> = new Set(['code', 'state', 'iss'])

/** Checks of the parameters that were appended to a redirect URI for a code. */
interface AppendedChecks {
  readonly isCode: (given: string) => boolean
  readonly isState: (given: string) => boolean
}

/**
 * True when the URI given at the token endpoint is the URI to which the code was sent. It may be the redirect URI
 * itself. It may also include the appended parameters, because an existing client sends its current URL. Then its code
 * must be the presented code, and a state must be the state of the request.
 */
export const isRedirectOfCode = (redirectUri: string, given: string, sent: AppendedChecks): boolean => {
  if (given === redirectUri) return true
  // A browser adds a slash to https://app.example.
  const starts = [redirectUri, new URL(redirectUri).href].map((uri) => `${uri}${separatorAfter(uri)}`)
  const start = starts.find((candidate) => given.startsWith(candidate))
  if (start === undefined || given.includes('#')) return false
  const fields = [...new URLSearchParams(given.slice(start.length))]
  const names = fields.map(([name]) => name)
  if (new Set(names).size < names.length || names.some((name) => !appendedNames.has(name))) return false
  if (fields.some(([name, value]) => name === 'state' && !sent.isState(value))) return false
  return fields.some(([name, value]) => name === 'code' && sent.isCode(value))
}

/**
 * Finds the source expression of a redirect URI for a Content-Security-Policy. Chromium checks `form-action` not only
 * for the action of a form but also for each redirect.
 */
export const findPolicySource = (redirectUri: string): string => {
  const { protocol, hostname, origin } = new URL(redirectUri)
  // The grammar of policies has no IPv6 addresses, and private-use schemes have no origin.
  const isPlain = /^https?:$/.test(protocol) && /^[a-z0-9.-]+$/i.test(hostname)
  return isPlain ? origin : protocol
}
