import type { Client, RawRequest, Reply, Target } from './client.ts'
import { type Pair, showValue } from './encoding.ts'
import { Blocked, type Exchange, Finding, NoResponse } from './result.ts'
import { isSyncResponse } from './sync-messages.ts'

/** A pair of tokens of one user, leased to one replica at a time. */
export interface Session {
  /** Index of the user in the target's list, from 0. */
  readonly user: number
  /** Returns the access token; requests a new grant when most of its lifetime is over. */
  readonly token: (record: (exchange: Exchange) => void) => Promise<string>
}

/** Sessions that are reused, so that a run of a hundred rules does not request hundreds of grants. */
export interface SessionPool {
  readonly lease: (user: number) => Session
  readonly release: (session: Session) => void
  /** Invalidates all tokens that the pool holds; sessions request new grants. */
  readonly invalidate: () => void
}

/** Writes the parameters of a correct password grant of the user (interface 5.1). @throws Blocked without that user. */
export const writePasswordGrant = (target: Target, user: number): Pair[] => {
  const credentials = target.users[user]
  if (credentials === undefined) throw new Blocked(`this needs credentials of ${user + 1} users`)
  return [
    ['grant_type', 'password'],
    ['client_id', target.clientId],
    ['client_secret', target.clientSecret],
    ['username', credentials.username],
    ['password', credentials.password],
  ]
}

/** Reads the access token of a token response. @throws Finding when there is none. */
export const readAccessToken = (reply: Reply): string => {
  const token = reply.json?.access_token
  if (typeof token === 'string' && token !== '' && reply.error === undefined) return token
  const came =
    reply.json === undefined ? `${reply.status} without a JSON object` : `${reply.status} ${showValue(reply.json)}`
  throw new Finding('the token endpoint to respond to the grant with an access_token', came, reply.exchange)
}

/** Share of `expires_in` after which a token is replaced. */
const usableShare = 0.7

/** Creates an empty pool; a session requests its token at the first use. */
export const createSessionPool = (client: Client, target: Target): SessionPool => {
  const idle: Session[] = []
  let generation = 0
  const createSession = (user: number): Session => {
    let current: { token: string; until: number; generation: number } | undefined
    let pending: Promise<string> | undefined
    const requestToken = async (record: (exchange: Exchange) => void): Promise<string> => {
      const reply = await client.send({ path: 'token', form: writePasswordGrant(target, user) }, record)
      const token = readAccessToken(reply)
      const seconds = Number(reply.json?.expires_in)
      const validMs = (seconds > 0 ? seconds : 3600) * 1000
      current = { token, until: performance.now() + validMs * usableShare, generation }
      return token
    }
    return {
      user,
      token: async (record) => {
        const isUsable = current?.generation === generation && performance.now() < current.until
        if (current !== undefined && isUsable) return current.token
        pending ??= requestToken(record).finally(() => {
          pending = undefined
        })
        return pending
      },
    }
  }
  return {
    lease: (user) => {
      const index = idle.findIndex((session) => session.user === user)
      return idle.splice(index, index === -1 ? 0 : 1)[0] ?? createSession(user)
    },
    release: (session) => {
      idle.push(session)
    },
    invalidate: () => {
      generation += 1
    },
  }
}

/** A way to present the access token (interface 5.3); a header has a template with `{token}`. */
export type TokenPresentation =
  | { readonly kind: 'header'; readonly template: string }
  | { readonly kind: 'query' | 'form' }

/** Header forms that servers are known to accept; the interface leaves the form open. */
export const usualHeaders: readonly string[] = [
  'Bearer {token}',
  'OAuth {token}',
  'access_token={token}',
  'Token {token}',
  'bearer {token}',
  'Bearer access_token={token}',
  'OAuth access_token={token}',
  'access_token="{token}"',
  'Bearer access_token="{token}"',
  'OAuth access_token="{token}"',
  'OAuth oauth_token={token}',
  'Token token={token}',
  'Token token="{token}"',
  'access_token {token}',
  'access_token: {token}',
  'access-token={token}',
  'oauth_token={token}',
  'token={token}',
  'bearer={token}',
  'Bearer={token}',
  'OAuth={token}',
  'oauth={token}',
  'Authorization={token}',
  '{token}',
]

/** Adds the token to the request in this way. */
export const presentToken = (request: RawRequest, token: string, way: TokenPresentation): RawRequest => {
  if (way.kind === 'header') {
    return { ...request, headers: { ...request.headers, Authorization: way.template.replaceAll('{token}', token) } }
  }
  if (way.kind === 'query') return { ...request, query: [...(request.query ?? []), ['access_token', token]] }
  return { ...request, form: [...(request.form ?? []), ['access_token', token]] }
}

/** Whether the status says that the operation does not exist. */
export const isMissing = (status: number | undefined): boolean => status === 404 || status === 405 || status === 501

/** Chooses a way that works: the header form that was found, otherwise the parameter that fits the request. */
export const chooseTokenPresentation = (template: string | undefined, request: RawRequest): TokenPresentation => {
  if (template !== undefined) return { kind: 'header', template }
  return { kind: request.form === undefined ? 'query' : 'form' }
}

/** Finds the header forms that sync accepts, in the order of trying; stops at the first one unless `all`. */
export const findHeaderForms = async (
  client: Client,
  target: Target,
  token: string,
  all: boolean,
): Promise<string[]> => {
  const configured = target.authHeaders ?? []
  const found: string[] = []
  for (const template of configured.length > 0 ? configured : usualHeaders) {
    if (found.length > 0 && !all) return found
    const request = presentToken({ path: 'sync', query: [['limit', '1']] }, token, { kind: 'header', template })
    try {
      const reply = await client.send(request, () => {})
      if (isSyncResponse(reply)) found.push(template)
    } catch (error) {
      // A closed connection rejects this header form only; a server that stays silent would do so for the other forms.
      if (!(error instanceof NoResponse)) throw error
      if (error.isSilence) return found
    }
  }
  return found
}
