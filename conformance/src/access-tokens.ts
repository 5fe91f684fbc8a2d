import type { Client, RawRequest, Reply, Target } from './client.ts'
import { type Pair, showValue } from './encoding.ts'
import { Blocked, type Exchange, Finding, NoResponse } from './result.ts'
import { isSyncResponse } from './sync-messages.ts'

/** A pair of tokens of one user, leased to one replica at a time. */
export interface Session {
  /** Place of the user in the target's list, from 0. */
  readonly user: number
  /** The access token; a new grant is taken when its validity is nearly over. */
  readonly token: (record: (exchange: Exchange) => void) => Promise<string>
}

/** Sessions that are kept and lent again, so that a run of a hundred rules does not ask for hundreds of grants. */
export interface SessionPool {
  readonly lease: (user: number) => Session
  readonly giveBack: (session: Session) => void
  /** Tokens that were given so far are used no more. */
  readonly renew: () => void
}

/** Parameters of a correct password grant of the user (interface 5.1). */
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

/** The access token of a token answer; throws a Finding when there is none. */
export const readAccessToken = (reply: Reply): string => {
  const token = reply.json?.access_token
  if (typeof token === 'string' && token !== '' && reply.error === undefined) return token
  const came =
    reply.json === undefined ? `${reply.status} without a JSON object` : `${reply.status} ${showValue(reply.json)}`
  throw new Finding('the token endpoint to answer the grant with an access_token', came, reply.exchange)
}

/** Share of `expires_in` after which a token is replaced. */
const usableShare = 0.7

/** Makes an empty pool; tokens are asked for when first needed. */
export const createSessionPool = (client: Client, target: Target): SessionPool => {
  const idle: Session[] = []
  let generation = 0
  const createSession = (user: number): Session => {
    let current: { token: string; until: number; generation: number } | undefined
    let asked: Promise<string> | undefined
    const ask = async (record: (exchange: Exchange) => void): Promise<string> => {
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
        asked ??= ask(record).finally(() => {
          asked = undefined
        })
        return asked
      },
    }
  }
  return {
    lease: (user) => {
      const index = idle.findIndex((session) => session.user === user)
      return idle.splice(index, index === -1 ? 0 : 1)[0] ?? createSession(user)
    },
    giveBack: (session) => {
      idle.push(session)
    },
    renew: () => {
      generation += 1
    },
  }
}

/** A way to present the access token (interface 5.3); a header by its template with `{token}`. */
export type Way = { readonly kind: 'header'; readonly template: string } | { readonly kind: 'query' | 'form' }

/** Header forms that servers are known to take; the interface leaves the form open. */
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

/** The request with the token presented this way, and no other. */
export const presentToken = (request: RawRequest, token: string, way: Way): RawRequest => {
  if (way.kind === 'header') {
    return { ...request, headers: { ...request.headers, Authorization: way.template.replaceAll('{token}', token) } }
  }
  if (way.kind === 'query') return { ...request, query: [...(request.query ?? []), ['access_token', token]] }
  return { ...request, form: [...(request.form ?? []), ['access_token', token]] }
}

/** Whether a status says that there is no such operation. */
export const isMissing = (status: number | undefined): boolean => status === 404 || status === 405 || status === 501

/** A way that works: the header form that was found, or without one the parameter that fits the request. */
export const chooseWay = (template: string | undefined, request: RawRequest): Way => {
  if (template !== undefined) return { kind: 'header', template }
  return { kind: request.form === undefined ? 'query' : 'form' }
}

/** The header forms with which the target answers a sync, in the order tried; only the first one unless `all`. */
export const findHeaderForms = async (
  client: Client,
  target: Target,
  token: string,
  all: boolean,
): Promise<string[]> => {
  const given = target.authHeaders ?? []
  const found: string[] = []
  for (const template of given.length > 0 ? given : usualHeaders) {
    if (found.length > 0 && !all) return found
    const request = presentToken({ path: 'sync', query: [['limit', '1']] }, token, { kind: 'header', template })
    try {
      const reply = await client.send(request, () => {})
      if (isSyncResponse(reply)) found.push(template)
    } catch (error) {
      // A server that hangs up on a header form does not take it; one that says nothing would say nothing to the others.
      if (!(error instanceof NoResponse)) throw error
      if (error.isSilence) return found
    }
  }
  return found
}
