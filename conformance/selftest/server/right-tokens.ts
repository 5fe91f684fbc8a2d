import { randomBytes } from 'node:crypto'
import type { Exchange, TokenWay } from './right-requests.ts'
import type { Account, Json, JsonObject, Pair, Session, World } from './world.ts'

/** A session and the pair of it that a token belongs to. */
export interface Found {
  readonly session: Session
  readonly pair: Pair
}

/** The pair that holds a token of one kind, unless its session has ended. */
export function findPair(world: World, kind: 'access' | 'request', token: string): Found | undefined {
  for (const session of world.sessions) {
    const pair = session.pairs.find((candidate) => candidate[kind] === token)
    if (pair !== undefined && !session.revoked) return { session, pair }
  }
  return undefined
}

/** Tokens: how they are granted, presented and looked up (interface 5). */
export const rightTokens = {
  /** A new access or request token; `previous` is the one that it replaces in a refresh. */
  newToken: (_kind: 'access' | 'request', _username: string, _previous: string | undefined): string =>
    randomBytes(24).toString('base64url'),
  /** The form parameter that the refresh grant reads. */
  refreshParameter: 'refresh_token',
  passwordAccepted: (account: Account | undefined, password: string): boolean => account?.password === password,
  /** The account of a user name. */
  findAccount: (world: World, username: string): Account | undefined => world.accounts.get(username),
  clientAccepted: (world: World, id: string, secret: string, _grant: string): boolean =>
    (id === world.clientId && secret === world.clientSecret) ||
    (id === world.otherClient.clientId && secret === world.otherClient.clientSecret),
  findRequestToken: (world: World, token: string): Found | undefined => findPair(world, 'request', token),
  findAccessToken: (world: World, token: string, _way: TokenWay, _exchange: Exchange): Found | undefined =>
    findPair(world, 'access', token),
  /** The grant that is meant by a `grant_type`. */
  grantType: (grantType: string): string => grantType,
  /** Form bodies are read at the token endpoint. */
  tokenReadsForm: true,
  /** Client credentials may come as HTTP Basic. */
  readsBasic: true,
  /** Presenting a request token whose successor was used ends the session. */
  endsReusedSession: true,
  /** An old request token works until the new pair is used. */
  toleratesLostRefresh: true,
  /** Whose session a refresh continues. */
  refreshedSession: (found: Found, _world: World): Session => found.session,
  tokenAnswer: (answer: JsonObject, _session: Session): Json => answer,
  tokenHeaders: { 'cache-control': 'no-store', pragma: 'no-cache' } as Record<string, string>,
  /** Whether tokens may come in several ways: the same token may. */
  toleratesTwice: (different: number, _ways: number): boolean => different < 2,
  /** Ways to present the access token that are looked at. */
  ways: ['header', 'query', 'form'] as readonly TokenWay[],
  /** Schemes of the header, in lower case; '' is the `name=token` form without a scheme. */
  schemes: ['bearer', 'oauth', 'token', ''] as readonly string[],
  /** The header may hold `name=token` after a scheme, and double quotes. */
  readsNamedToken: true,
  readsQuotedToken: true,
  /** A session for a request without any token. */
  anonymous: (_world: World, _exchange: Exchange): Session | undefined => undefined,
  /** The account that a session works on. */
  accountOf: (world: World, session: Session, _exchange: Exchange): Account | undefined =>
    world.accounts.get(session.username),
  /** A revoked session ends. */
  revokes: true,
}
