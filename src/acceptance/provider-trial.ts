import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import OidcProvider from 'oidc-provider'
import { onTestFinished } from 'vitest'

/** What a person is called at the provider; the sign-in there asks for the subject alone. */
export type Person = Readonly<Record<string, unknown>>

/** A real OpenID provider on a free port. */
export interface ProviderTrial {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Goes through the provider's own pages as the person with a subject; gives the address that it leads back to. */
  readonly signIn: (address: string, subject: string) => Promise<string>
}

/** Opens the provider with its people, by subject, for a server whose redirect addresses are these. */
export const openProviderTrial = async (
  people: Map<string, Person>,
  redirectUris: readonly string[],
): Promise<ProviderTrial> => {
  // Its address must be known before it is made.
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['things', 'a secret of this client, long enough']
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: redirectUris.map((uri) => uri.replace('/provider/back', '')),
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }),
    cookies: { keys: ['for this trial'] },
  })
  server.on('request', provider.callback())
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })

  const signIn: ProviderTrial['signIn'] = async (address, subject) => {
    const cookies = new Map<string, string>()
    const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      return answer
    }
    let url = address
    for (let step = 0; step < 12; step++) {
      if (!url.startsWith(issuer)) return url
      const answer = await ask(url)
      const location = answer.headers.get('location')
      if (location !== null) {
        url = new URL(location, issuer).href
        continue
      }
      const page = await answer.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
      if (prompt === undefined) throw new Error(`the provider shows something else: ${answer.status} ${page}`)
      const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: subject, password: 'any' }) })
      const sent = await ask(url, { method: 'POST', body })
      url = new URL(sent.headers.get('location') ?? '', issuer).href
    }
    throw new Error('the provider leads nowhere')
  }
  return { issuer, clientId, clientSecret, signIn }
}
