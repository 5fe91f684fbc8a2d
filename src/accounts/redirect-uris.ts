import type { App } from '../store/directory.ts'
import { AccountRefused } from './account-refused.ts'

const mostRedirectUris = 20
const mostCharacters = 2000

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?=[/?]|$)/
const ownScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//

const sayWhatIsWrong = (uri: string): string | undefined => {
  if (uri.length > mostCharacters) return `has more than ${mostCharacters} characters`
  if (!URL.canParse(uri)) return 'is no absolute address'
  const { protocol, username, password, href } = new URL(uri)
  if (uri.includes('#')) return 'has a fragment; leave away what begins with #'
  if (username !== '' || password !== '') return 'has a user name or password in it'
  if (uri.includes('*')) return 'has a * in it; each address must be given in full'
  if (protocol === 'http:' && !loopback.test(href))
    return 'is http; that is for http://127.0.0.1, http://[::1] and http://localhost only, use https'
  if (protocol !== 'http:' && protocol !== 'https:' && !ownScheme.test(uri))
    return 'has a scheme that is not allowed; use https, or a scheme of your own with a dot in it, like com.example.app:/back'
  // Compared to the letter, and a browser is sent to the normal form.
  return href === uri || href === `${uri}/` ? undefined : `has to be written ${href}`
}

/**
 * Makes sure that people may be sent back to these addresses (contract, the web flow, redirect_uri).
 * @throws AccountRefused
 */
export const refuseBadRedirectUris = (uris: readonly string[]): void => {
  if (uris.length > mostRedirectUris) throw new AccountRefused(`an app may have ${mostRedirectUris} redirect addresses`)
  for (const uri of uris) {
    const wrong = sayWhatIsWrong(uri)
    if (wrong !== undefined)
      throw new AccountRefused(`the redirect address ${JSON.stringify(uri.slice(0, 200))} ${wrong}`)
  }
}

const withoutLoopbackPort = (uri: string): string => uri.replace(loopback, 'http://$1')

/**
 * The address to send a person back to: what the request named, if it is one of the app's to the letter, or on a loopback
 * address but for the port (RFC 8252, 7.3); the only one of the app when the request named none. Undefined: the person
 * must not leave the server.
 */
export const findRedirectUri = ({ redirectUris = [] }: App, named: string | undefined): string | undefined => {
  if (named === undefined) return redirectUris.length === 1 ? redirectUris[0] : undefined
  if (redirectUris.includes(named)) return named
  if (named.length > mostCharacters || !URL.canParse(named) || !loopback.test(named)) return undefined
  const isOne = redirectUris.some(
    (uri) => loopback.test(uri) && withoutLoopbackPort(uri) === withoutLoopbackPort(named),
  )
  return isOne ? named : undefined
}

const answered = new Set(['code', 'state', 'iss'])

/**
 * True when a token request names the address that a code was sent to: the same, or the whole address that the browser
 * arrived at, with the parameters that were appended (contract: an existing client sends that).
 */
export const isSameRedirect = (redirectUri: string, named: string, code: string): boolean => {
  if (named === redirectUri) return true
  const separator = redirectUri.includes('?') ? '&' : '?'
  const sent = [redirectUri, new URL(redirectUri).href].find((uri) => named.startsWith(uri + separator))
  if (sent === undefined) return false
  const appended = new URLSearchParams(named.slice(sent.length + 1))
  return [...appended.keys()].every((name) => answered.has(name)) && appended.getAll('code').join() === code
}
