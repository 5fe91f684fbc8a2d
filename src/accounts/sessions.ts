import { hash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import {
  type AllowedApp,
  type BrowserSession,
  foldName,
  type Origin,
  type RegistryDraft,
  type Session,
  type TokenPair,
} from '../store/registry/registry.ts'
import { type Store, StoreError } from '../store/store.ts'

/**
 * Hashes a token or secret with SHA-256: base64url, 43 characters.
 * The store keeps only this hash (contract, the access token).
 */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')

/** Compares two hashes of `hashSecret` in a time that does not depend on where they differ. */
export const isSameHash = (one: string, other: string): boolean => {
  const bytes = Buffer.from(one)
  const otherBytes = Buffer.from(other)
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}

/** The response to a grant (interface 5.2). Only this response contains the tokens themselves. */
export interface Grant {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
}

const accessSeconds = 3600
const refreshSeconds = 90 * 24 * 3600
const maxPendingPairs = 5
// Each refresh leaves a retired pair. The reuse of an older pair than these is rejected but does not end the session.
const maxRetiredPairs = 100

const inSeconds = (environment: Environment, seconds: number) => Math.ceil(environment.now() / 1000) + seconds

/** True when a time of expiry, in Unix seconds, has come. */
export const isExpired = (expiresAt: number, environment: Environment): boolean => environment.now() >= expiresAt * 1000

/** Issues a pair of tokens: the grant for the response, and the pair of hashes for the store. */
export const issuePair = (
  state: 'pending' | 'current',
  environment: Environment,
): { grant: Grant; pair: TokenPair } => {
  const grant = {
    accessToken: environment.newSecret(),
    refreshToken: environment.newSecret(),
    expiresInSeconds: accessSeconds,
  }
  const pair = {
    accessHash: hashSecret(grant.accessToken),
    accessExpiresAt: inSeconds(environment, accessSeconds),
    requestHash: hashSecret(grant.refreshToken),
    requestExpiresAt: inSeconds(environment, refreshSeconds),
    state,
  }
  return { grant, pair }
}

/** Makes the used pair the current one and retires all others, used or not. */
const usePair = (pairs: readonly TokenPair[], used: TokenPair): TokenPair[] =>
  pairs.map((pair) => ({ ...pair, state: pair.requestHash === used.requestHash ? 'current' : 'retired' }))

/**
 * Adds the pending pair that a refresh with the refresh token of `used` issued. The 90 days of `used` begin again.
 * Drops expired retired pairs, and the oldest retired and pending pairs above their maximum.
 */
export const addPendingPair = (
  pairs: readonly TokenPair[],
  used: TokenPair,
  pending: TokenPair,
  environment: Environment,
): TokenPair[] => {
  const active = used.state === 'pending' ? usePair(pairs, used) : pairs
  const renewed = active.map((pair) =>
    pair.requestHash === used.requestHash
      ? { ...pair, requestExpiresAt: inSeconds(environment, refreshSeconds) }
      : pair,
  )
  const inState = (state: TokenPair['state']) => renewed.filter((pair) => pair.state === state)
  return [
    ...inState('retired')
      .filter((pair) => !isExpired(pair.requestExpiresAt, environment))
      .slice(-maxRetiredPairs),
    ...inState('current'),
    ...[...inState('pending'), pending].slice(-maxPendingPairs),
  ]
}

/** The user, the app and the grant of a new session. */
interface SessionStart {
  readonly userId: string
  readonly clientId: string
  readonly began: 'password' | 'code'
  readonly allowed?: AllowedApp | undefined
  readonly origin?: Origin | undefined
}

/** Begins a session within a change of the registry; returns its id and the grant with its first pair of tokens. */
export const beginSession = async (
  registry: RegistryDraft,
  { userId, clientId, began, allowed, origin }: SessionStart,
  environment: Environment,
): Promise<{ readonly id: string; readonly grant: Grant }> => {
  await deleteExcessSessions(registry, userId, environment)
  const { grant, pair } = issuePair('current', environment)
  const id = environment.newId()
  const createdAt = Math.floor(environment.now() / 1000)
  await registry.put('sessions', {
    id,
    userId,
    clientId,
    createdAt,
    pairs: [pair],
    began,
    ...(allowed === undefined ? {} : { allowed }),
    ...(origin === undefined ? {} : { origin }),
    lastUsedAt: createdAt,
  })
  return { id, grant }
}

const checkValid = (
  session: Session | undefined,
  accessHash: string,
  environment: Environment,
): { session: Session; pair: TokenPair | undefined } => {
  if (session === undefined || session.isSuspended) throw new ApiError('tokenInvalid')
  if (session.personal !== undefined) {
    const { expiresAt } = session.personal
    if (expiresAt !== undefined && isExpired(expiresAt, environment)) throw new ApiError('tokenInvalid')
    return { session, pair: undefined }
  }
  const pair = session.pairs.find((candidate) => candidate.accessHash === accessHash)
  if (!pair || isExpired(pair.accessExpiresAt, environment)) throw new ApiError('tokenInvalid')
  return { session, pair }
}

/** True when the access token with this hash is valid. Changes nothing, unlike `findSession`. */
export const isTokenValid = async (store: Store, accessHash: string, environment: Environment): Promise<boolean> => {
  try {
    checkValid(await store.registry.findSessionByAccessHash(accessHash), accessHash, environment)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

const notePersonalUse = async (store: Store, session: Session, environment: Environment): Promise<Session> => {
  if (isNoteDue(session.lastUsedAt, environment)) {
    await noteUse(store, async (registry) => {
      const newest = await registry.findSessionByAccessHash(session.personal?.hash ?? '')
      if (newest === undefined || !isNoteDue(newest.lastUsedAt, environment)) return
      await registry.put('sessions', { ...newest, lastUsedAt: Math.floor(environment.now() / 1000) })
    })
  }
  return session
}

/**
 * Finds the session of an access token (interface 5.3) or of a personal access token. The first use of a new pair
 * retires the previous pairs; their access tokens stay valid until they expire.
 * @throws ApiError `tokenInvalid` when the token is unknown or expired; StoreError when the store cannot be read
 */
export const findSession = async (store: Store, accessToken: string, environment: Environment): Promise<Session> => {
  const accessHash = hashSecret(accessToken)
  const { session, pair } = checkValid(
    await store.registry.findSessionByAccessHash(accessHash),
    accessHash,
    environment,
  )
  if (pair === undefined) return notePersonalUse(store, session, environment)
  if (pair.state !== 'pending') return session

  return store.registry.change(async (registry) => {
    const newest = checkValid(await registry.findSessionByAccessHash(accessHash), accessHash, environment)
    if (newest.pair?.state !== 'pending') return newest.session
    const lastUsedAt = Math.floor(environment.now() / 1000)
    const used = { ...newest.session, pairs: usePair(newest.session.pairs, newest.pair), lastUsedAt }
    await registry.put('sessions', used)
    return used
  })
}

/** Ends all browser sessions of a user. */
export const endBrowserSessions = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const { hash } of await registry.listBrowserSessions(userId)) await registry.delete('browserSessions', hash)
}

/**
 * Deletes the unused codes of a user: a user who ends a session means the codes that it requested as well. Used codes
 * stay in the store, because their reuse must be detected.
 */
export const deleteOpenCodes = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const { hash, sessionId } of await registry.listCodes(userId)) {
    if (sessionId === undefined) await registry.delete('codes', hash)
  }
}

/** Deletes the codes and links of a user, which could begin new sessions. */
export const deleteCodesAndLinks = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const { hash } of await registry.listCodes(userId)) await registry.delete('codes', hash)
  for (const { hash } of await registry.listLinks(userId)) await registry.delete('links', hash)
}

/** Deletes the open invitations of a name, in any spelling, so that none creates an unwanted account. */
export const deleteInvitations = async (registry: RegistryDraft, name: string): Promise<void> => {
  const folded = foldName(name)
  for (const link of await registry.listInvitations()) {
    if (link.name !== undefined && foldName(link.name) === folded) await registry.delete('links', link.hash)
  }
}

/** Ends all access to the account of a user: sessions of apps, personal tokens, browsers, codes and links. */
export const endAllSessions = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const session of await registry.listSessions(userId)) await registry.delete('sessions', session.id)
  await endBrowserSessions(registry, userId)
  await deleteCodesAndLinks(registry, userId)
}

/** The maximum number of sessions of apps that a user may have at the same time. */
export const maxSessions = 200

/** The time at which the last refresh token of a session expires, in Unix seconds. A personal token has none. */
export const findSessionExpiry = ({ pairs }: Session): number =>
  Math.max(...pairs.map(({ requestExpiresAt }) => requestExpiresAt))

/** True when a refresh token of the session is still valid, so that its app can continue it. */
export const isContinuable = (session: Session, environment: Environment): boolean =>
  !isExpired(findSessionExpiry(session), environment)

/**
 * Makes room for one more session of the user: ends the sessions that cannot continue, then the least recently used
 * ones. Those are the ones whose refresh tokens expire first, because each refresh restarts the 90 days. Personal
 * tokens stay.
 */
const deleteExcessSessions = async (
  registry: RegistryDraft,
  userId: string,
  environment: Environment,
): Promise<void> => {
  const granted = (await registry.listSessions(userId)).filter(({ personal }) => personal === undefined)
  const sessions = granted.sort((a, b) => findSessionExpiry(a) - findSessionExpiry(b))
  const excess = sessions.length - (maxSessions - 1)
  for (const [index, session] of sessions.entries()) {
    if (index < excess || !isContinuable(session, environment)) await registry.delete('sessions', session.id)
  }
}

const maxUserAgentCharacters = 200

/**
 * Describes the origin of a request for the store and for the user of the session. The User-Agent is untrusted: at most
 * 200 characters of it are kept, and each unprintable character becomes a question mark.
 */
export const describeOrigin = (address: string, userAgent: string | undefined): Origin => {
  const shown = (userAgent ?? '')
    .slice(0, maxUserAgentCharacters)
    .replace(/[\p{C}\u2028\u2029]/gu, '?')
    .trim()
  return { address: formatAddress(address), ...(shown === '' ? {} : { userAgent: shown }) }
}

/** Formats an IP address for users, and for programs that block it. An IPv4-mapped IPv6 address becomes IPv4. */
export const formatAddress = (address: string): string =>
  isIP(address) === 0 ? 'unknown' : ipaddr.process(address).toString()

/**
 * Finds the key under which attempts from an IP address count: the address for IPv4, the /64 for IPv6, because one
 * customer has the whole /64. All texts that are not addresses share one key.
 */
export const findAddressKey = (address: string): string => {
  if (isIP(address) === 0) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4)
  return `${network.map((part) => part.toString(16)).join(':')}::/64`
}

const noteSeconds = 3600

/** True when a last use, in Unix seconds, was recorded an hour ago or more. So few requests wait for the disk. */
export const isNoteDue = (lastUsedAt: number | undefined, environment: Environment): boolean =>
  environment.now() >= ((lastUsedAt ?? 0) + noteSeconds) * 1000

/**
 * Records a last use. When the store cannot be written (a full disk), it skips the record, so that users can still
 * read.
 */
export const noteUse = async (store: Store, note: (registry: RegistryDraft) => Promise<void>): Promise<void> => {
  try {
    await store.registry.change(note)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

/** A browser session ends after this time without use, in seconds: 30 days. */
export const idleSeconds = 30 * 24 * 3600

/** True when a browser session was not used for 30 days (contract, authorization code flow). */
export const isIdle = ({ lastUsedAt }: BrowserSession, environment: Environment): boolean =>
  isExpired(lastUsedAt + idleSeconds, environment)

/** Deletes expired codes, links and browser sessions. Call it before you add one, so that they do not accumulate. */
export const deleteExpired = ({ registry }: Pick<Store, 'registry'>, environment: Environment): Promise<void> => {
  const expiredBy = environment.now() / 1000
  return registry.forgetEnded({ expiredBy, unusedSince: expiredBy - idleSeconds })
}
