import { parseUrl } from '../parse-url.ts'
import { AccountRefused } from './account-refused.ts'

const mostRedirectUris = 20
const mostCharacters = 2000

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?=[/?]|$)/
const ownScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//

/** What comes back in the query; an app could take what is registered there for it. */
const answered: ReadonlySet<string> = new Set(['code', 'state', 'error', 'error_description', 'error_uri', 'iss'])

const sayWhatIsWrong = (uri: string): string | undefined => {
  if (uri.length > mostCharacters) return `has more than ${mostCharacters} characters`
  const url = parseUrl(uri)
  if (url === undefined) return 'is no absolute address'
  const { protocol, username, password, href, searchParams } = url
  const answers = [...searchParams.keys()].find((name) => answered.has(name))
  if (answers !== undefined) return `has ${answers} in its query, which is what the answer says there`
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
