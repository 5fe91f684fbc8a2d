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

/** The SHA-256 of a token or secret as base64url, 43 characters: all that is kept of it (contract, the access token). */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')

/** Compares two hashes of `hashSecret` in a time that does not depend on where they differ. */
export const isSameHash = (one: string, other: string): boolean => {
  const bytes = Buffer.from(one)
  const otherBytes = Buffer.from(other)
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}

/** What a grant answers (interface 5.2). The only time that the tokens themselves are seen. */
export interface Grant {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
}

const accessSeconds = 3600
const refreshSeconds = 90 * 24 * 3600
const maxPendingPairs = 5
// Each refresh leaves a retired pair behind; the reuse of one older than these is refused but ends no session.
const maxRetiredPairs = 100

const inSeconds = (environment: Environment, seconds: number) => Math.ceil(environment.now() / 1000) + seconds

/** True when a time of a token pair, in Unix seconds, has come. */
export const isExpired = (expiresAt: number, environment: Environment): boolean => environment.now() >= expiresAt * 1000

/** A new pair of tokens: the grant to answer and the hashes to keep. */
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

/** A pair that was used is the current one; the pairs that it replaces, used or not, are retired. */
const usePair = (pairs: readonly TokenPair[], used: TokenPair): TokenPair[] =>
  pairs.map((pair) => ({ ...pair, state: pair.requestHash === used.requestHash ? 'current' : 'retired' }))

/** The pairs after a refresh with the request token of `used`, whose 90 days begin anew, has issued a pending pair. */
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

/** Whose session begins, and how. */
interface SessionStart {
  readonly userId: string
  readonly clientId: string
  readonly began: 'password' | 'code'
  readonly allowed?: AllowedApp | undefined
  readonly origin?: Origin | undefined
}

/** Begins a session within a change of the registry; gives its id and its first pair of tokens. */
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

/** Whether an access token, by its hash, still works. Asks and changes nothing, unlike `findSession`. */
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
 * The session of an access token (interface 5.3), which may be a personal one. The first use of a new pair retires the
 * pairs before it; their access tokens stay valid until they expire.
 * @throws ApiError `tokenInvalid` when the token is unknown or expired; StoreFailed when that cannot be told
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

/** Ends all sign-ins of a user in browsers. */
export const endBrowserSessions = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const { hash } of await registry.listBrowserSessions(userId)) await registry.delete('browserSessions', hash)
}

/**
 * Forgets the codes of a user that began no session yet: whoever ends a session means what it has under way as well. Used
 * ones stay, to be recognized.
 */
export const deleteOpenCodes = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const { hash, sessionId } of await registry.listCodes(userId)) {
    if (sessionId === undefined) await registry.delete('codes', hash)
  }
}

/** Forgets the codes and links of a user, which would open new sessions. */
export const deleteCodesAndLinks = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const { hash } of await registry.listCodes(userId)) await registry.delete('codes', hash)
  for (const { hash } of await registry.listLinks(userId)) await registry.delete('links', hash)
}

/** Ends the open invitations of a name, however it is written, so that none makes an account that nobody means to have. */
export const deleteInvitations = async (registry: RegistryDraft, name: string): Promise<void> => {
  const folded = foldName(name)
  for (const link of await registry.listInvitations()) {
    if (link.name !== undefined && foldName(link.name) === folded) await registry.delete('links', link.hash)
  }
}

/** Ends all that lets anybody act for a user: sessions of apps, personal tokens, browsers, codes and links. */
export const endAllSessions = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const session of await registry.listSessions(userId)) await registry.delete('sessions', session.id)
  await endBrowserSessions(registry, userId)
  await deleteCodesAndLinks(registry, userId)
}

/** Sessions that a user may have at the same time. */
export const maxSessions = 200

/** When the request tokens of a session are over, in Unix seconds; a personal token has none. */
export const continuableUntil = ({ pairs }: Session): number =>
  Math.max(...pairs.map(({ requestExpiresAt }) => requestExpiresAt))

/** True when a session that a grant began can still be continued. */
export const isContinuable = (session: Session, environment: Environment): boolean =>
  !isExpired(continuableUntil(session), environment)

/**
 * Ends the sessions of the user that nothing can continue, and as many of the longest unused that one more has a place:
 * those whose request tokens end first, because each refresh gives them 90 days anew. Personal tokens stay.
 */
const deleteExcessSessions = async (
  registry: RegistryDraft,
  userId: string,
  environment: Environment,
): Promise<void> => {
  const granted = (await registry.listSessions(userId)).filter(({ personal }) => personal === undefined)
  const sessions = granted.sort((a, b) => continuableUntil(a) - continuableUntil(b))
  const spare = sessions.length - (maxSessions - 1)
  for (const [index, session] of sessions.entries()) {
    if (index < spare || !isContinuable(session, environment)) await registry.delete('sessions', session.id)
  }
}

const maxUserAgentCharacters = 200

/**
 * Where a request came from, as it is kept and shown to the user whose session it is. What a program says of itself may be
 * anything: it is cut short, and a character that is not printable becomes a question mark.
 */
export const describeOrigin = (address: string, userAgent: string | undefined): Origin => {
  const shown = (userAgent ?? '')
    .slice(0, maxUserAgentCharacters)
    .replace(/[\p{C}\u2028\u2029]/gu, '?')
    .trim()
  return { address: formatAddress(address), ...(shown === '' ? {} : { userAgent: shown }) }
}

/** An address as it is shown to people and to programs that block it: an IPv4 address inside IPv6 is shown as IPv4. */
export const formatAddress = (address: string): string =>
  isIP(address) === 0 ? 'unknown' : ipaddr.process(address).toString()

/**
 * What attempts from an address are counted under: the address for IPv4, the /64 for IPv6, of which one customer has
 * them all. Text that is no address has one key together.
 */
export const findAddressKey = (address: string): string => {
  if (isIP(address) === 0) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4)
  return `${network.map((part) => part.toString(16)).join(':')}::/64`
}

const noteSeconds = 3600

/** True when a last use, in Unix seconds, was noted more than an hour ago, so that hardly a request waits for the disk. */
export const isNoteDue = (lastUsedAt: number | undefined, environment: Environment): boolean =>
  environment.now() >= ((lastUsedAt ?? 0) + noteSeconds) * 1000

/** Notes a last use. A store that cannot be written, on a full disk, must not keep people from reading: then it is not. */
export const noteUse = async (store: Store, note: (registry: RegistryDraft) => Promise<void>): Promise<void> => {
  try {
    await store.registry.change(note)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

/** A sign-in in a browser ends when it was not used for so long. */
export const idleSeconds = 30 * 24 * 3600

/** True when a sign-in in a browser was not used for 30 days (contract, the web flow). */
export const isIdle = ({ lastUsedAt }: BrowserSession, environment: Environment): boolean =>
  isExpired(lastUsedAt + idleSeconds, environment)

/** Forgets codes, links and sign-ins that are over. Whoever adds one calls it first, so that they never pile up. */
export const deleteExpired = ({ registry }: Pick<Store, 'registry'>, environment: Environment): Promise<void> => {
  const expiredBy = environment.now() / 1000
  return registry.forgetEnded({ expiredBy, unusedSince: expiredBy - idleSeconds })
}
