import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { ApiError, type ApiErrorKind } from '../api-error.ts'
import { foldName } from '../store/registry/registry.ts'
import type { Counts, KeyCount } from '../store/store.ts'
import { createFairQueue } from './passwords.ts'
import { findAddressKey, formatAddress, hashSecret } from './sessions.ts'
import type { CheckPassword } from './users.ts'

/** How many failed attempts are allowed, and how many may wait. */
export interface AttemptLimits {
  /** Wrong passwords for one account from one address within the window. */
  readonly perPair: number
  /** Wrong clients, request tokens, codes and links from one address within the window that are answered as such. */
  readonly perAddress: number
  readonly windowSeconds: number
  /** For each so many wrong passwords of a day, strangers' attempts on the account and from the address stand 1 s apart. */
  readonly failuresPerSecond: number
  readonly maxSpacingSeconds: number
  /** Attempts that wait for their password to be checked, strangers' and others' each. */
  readonly maxWaiting: number
  /** Keys that each table remembers. */
  readonly maxKeys: number
}

/** The limits of a server; docs/operations.md tells operators what they mean. */
export const defaultAttemptLimits: AttemptLimits = {
  perPair: 10,
  perAddress: 100,
  windowSeconds: 5 * 60,
  failuresPerSecond: 100,
  maxSpacingSeconds: 30,
  maxWaiting: 200,
  maxKeys: 10_000,
}

/** Whose attempt it is: the address that the request came from, and the user name if one was given. */
export interface LoginAttempt {
  readonly address: string
  readonly username?: string
  /** What the log calls the request. */
  readonly requestId?: string
}

/** A clock that nobody sets, in milliseconds, and a way to wait. */
interface AttemptClock {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** Judges attempts to get in, counts those that fail, and keeps guessing slow. */
export interface LoginAttempts {
  /**
   * Judges first and counts failures only, so what is right is never refused for what others did. Passwords, which are
   * costly to check and may be guessed, are checked by `checkPassword`, which may wait or refuse.
   * @throws ApiError `tooManyAttempts`, `signInsBusy` with `budgetRetryAfterSeconds`; what the work throws; StoreFailed when what
   * is counted cannot be asked
   */
  readonly check: <T>(attempt: LoginAttempt, work: (checkPassword: CheckPassword) => Promise<T>) => Promise<T>
  /** Remembers that the user got in from this address: strangers elsewhere cannot slow down attempts from there. */
  readonly recordSuccess: (address: string, userId: string) => Promise<void>
}

const systemClock: AttemptClock = { now: () => performance.now(), sleep: (ms) => sleep(ms) }
const knownSeconds = 30 * 24 * 3600
// One who comes again soon is known for as long.
const renewKnownMs = 29 * 24 * 3600 * 1000
const busySeconds = 5
// Who waits for a place costs a connection and a few kilobytes.
const maxSleeping = 1_000

/** What can be guessed without knowing a user's name. */
const guessed: ReadonlySet<ApiErrorKind> = new Set([
  'clientInvalid',
  'requestTokenInvalid',
  'codeInvalid',
  'codeRedirectWrong',
  'codeVerifierMissing',
  'codeVerifierWrong',
  'codeVerifierUnexpected',
  'linkInvalid',
])

const createTooManyAttemptsError = ({ msLeft }: KeyCount): ApiError =>
  new ApiError('tooManyAttempts', { retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)) })

/**
 * Judges attempts (contract, errors: too many attempts). `onFailure` is told of each that fails. `counts` are those of the
 * store where several processes share it, and else in memory.
 */
export const createLoginAttempts = (
  onFailure: (failure: FailedAttempt) => void,
  limits: AttemptLimits = defaultAttemptLimits,
  { now, sleep }: AttemptClock = systemClock,
  counts: Counts = createMemoryCounts(limits.maxKeys, now),
): LoginAttempts => {
  const { perPair, perAddress, windowSeconds, maxWaiting } = limits
  const pairs = counts.openTable('wrong passwords', windowSeconds)
  const addresses = counts.openTable('wrong secrets', windowSeconds)
  const welcomed = counts.openTable('who got in', knownSeconds)
  const spacing = createSpacing({ ...limits, maxSeconds: limits.maxSpacingSeconds }, counts)
  const refuseBusy = () => new ApiError('signInsBusy', { retryAfterSeconds: busySeconds })
  // One password of a stranger is checked at a time, and beside it one of somebody who has been here before.
  const strangers = createFairQueue(maxWaiting, refuseBusy)
  const others = createFairQueue(maxWaiting, refuseBusy)
  let sleeping = 0

  const waitForPlace = async (keys: readonly string[], line: string): Promise<void> => {
    const ms = await spacing.reserveSlot(keys, line)
    if (ms === 0) return
    if (sleeping >= maxSleeping) throw refuseBusy()
    sleeping++
    await sleep(ms).finally(() => sleeping--)
  }

  const checkerOf =
    ({ address, username = '' }: LoginAttempt): CheckPassword =>
    async (userId, verify) => {
      const addressKey = findAddressKey(address)
      // All spellings of a name count together; a text too long for a name is counted as it was typed.
      const accountKey = hashSecret(foldName(username))
      const pair = `${addressKey} ${accountKey}`
      const isKnown = async () => userId !== undefined && (await welcomed.find(`${addressKey} ${userId}`)).count > 0
      const [tries, isWelcome] = await Promise.all([pairs.find(pair), isKnown()])
      if (tries.count >= perPair) throw createTooManyAttemptsError(tries)
      // Those who go on guessing would else take every place from an owner on a new address.
      const line = tries.count === 0 ? 'first' : 'again'
      if (!isWelcome) await waitForPlace([addressKey, accountKey], line)
      return (isWelcome ? others : strangers).run(addressKey, async () => {
        // Before it is judged, because others may be at it elsewhere; those before it in the queue may have failed.
        const taken = await pairs.add(pair)
        if (taken.count > perPair) throw createTooManyAttemptsError(taken)
        const isRight = await verify().catch(async (error: unknown) => {
          await pairs.takeBack(pair)
          throw error
        })
        await (isRight ? pairs.forget(pair) : spacing.addFailure([addressKey, accountKey]))
        return isRight
      })
    }

  const countFailure = async (error: ApiError, address: string): Promise<ApiError> => {
    if (!guessed.has(error.kind)) return error
    const failures = await addresses.add(findAddressKey(address))
    return failures.count > perAddress ? createTooManyAttemptsError(failures) : error
  }

  return {
    check: async (attempt, work) => {
      try {
        return await work(checkerOf(attempt))
      } catch (error) {
        const reason = error instanceof ApiError ? failureReasons[error.kind] : undefined
        if (!(error instanceof ApiError) || reason === undefined) throw error
        onFailure({ ...attempt, reason, ...(error.details.hash !== undefined && { isHashUncheckable: true }) })
        throw await countFailure(error, attempt.address)
      }
    },
    recordSuccess: async (address, userId) => {
      const key = `${findAddressKey(address)} ${userId}`
      const { msLeft } = await welcomed.find(key)
      if (msLeft > renewKnownMs) return
      await welcomed.forget(key)
      await welcomed.add(key)
    },
  }
}

/** Why an attempt failed; `limit`: it was not even judged. */
export type FailureReason = 'password' | 'client' | 'request_token' | 'code' | 'link' | 'limit'

/** The refusals that count as failed attempts. */
const failureReasons: Readonly<Partial<Record<ApiErrorKind, FailureReason>>> = {
  passwordInvalid: 'password',
  clientInvalid: 'client',
  requestTokenInvalid: 'request_token',
  codeInvalid: 'code',
  codeRedirectWrong: 'code',
  codeVerifierMissing: 'code',
  codeVerifierWrong: 'code',
  codeVerifierUnexpected: 'code',
  linkInvalid: 'link',
  tooManyAttempts: 'limit',
  signInsBusy: 'limit',
}

/** An attempt that failed, for the log. */
export interface FailedAttempt {
  readonly address: string
  readonly reason: FailureReason
  /** The name as it was typed, if one was. */
  readonly username?: string
  readonly requestId?: string
  /** The user has a hash that no password is checked against, so that no password is right. */
  readonly isHashUncheckable?: true
}

/** What the log says to the administrator of such a hash; the line about the attempt names the user. */
export const uncheckableHash =
  'the password of this user cannot be checked: its hash has another form than argon2id, or costs too much; give the user a new password with "user reset-password"'

const maxLoggedCharacters = 64

/**
 * The line of the log about a failed attempt, which programs like fail2ban read (docs/operations.md). What a stranger
 * wrote stands last, without spaces, quotes and the like, so that it can be taken for nothing else.
 */
export const describeFailedAttempt = ({ address, reason, username }: FailedAttempt): string => {
  const line = `sign-in failed from ${formatAddress(address)}: reason=${reason}`
  if (username === undefined) return line
  const shown = [...username.slice(0, 4 * maxLoggedCharacters)].slice(0, maxLoggedCharacters).join('')
  return `${line} user=${shown.replace(/[^\p{L}\p{N}._@+-]/gu, '?')}`
}

/** Failures by key within a window that begins with a key's first failure. Holds a bounded number of keys. */
interface FailureCounts {
  readonly count: (key: string) => number
  /** Time until the key's failures are forgotten. */
  readonly msLeft: (key: string) => number
  /** Counts one more and gives the new count. */
  readonly add: (key: string) => number
  /** Counts one less. */
  readonly takeBack: (key: string) => void
  readonly forget: (key: string) => void
}

/**
 * Counts that are empty. `now` is a clock in milliseconds that nobody sets (not the time of day), so that a window lasts
 * as long as it says. Keys that failed once and keys that failed again have half the places each: who floods it with
 * fresh keys drives out other fresh keys, and not the counts of those who went on.
 */
export const createFailureCounts = (windowSeconds: number, mostKeys: number, now: () => number): FailureCounts => {
  const openTable = () =>
    new LRUCache<string, number>({
      max: Math.ceil(mostKeys / 2),
      ttl: windowSeconds * 1000,
      ttlResolution: 0,
      noUpdateTTL: true,
      perf: { now },
    })
  const once = openTable()
  const often = openTable()

  const count = (key: string): number => often.get(key) ?? once.get(key) ?? 0
  const msLeft = (key: string): number => Math.max(0, often.getRemainingTTL(key), once.getRemainingTTL(key))

  return {
    count,
    msLeft,
    add: (key) => {
      const next = count(key) + 1
      if (next === 1) once.set(key, next)
      else if (often.has(key)) often.set(key, next)
      else {
        often.set(key, next, { ttl: msLeft(key) })
        once.delete(key)
      }
      return next
    },
    takeBack: (key) => {
      const table = often.has(key) ? often : once
      const before = table.get(key) ?? 0
      if (before > 1) table.set(key, before - 1)
      else table.delete(key)
    },
    forget: (key) => {
      once.delete(key)
      often.delete(key)
    },
  }
}

/**
 * Counts in the memory of this process, with so many keys in each table at most. `now` is a clock in milliseconds that
 * nobody sets.
 */
const createMemoryCounts = (mostKeys: number, now: () => number): Counts => {
  const places = new LRUCache<string, number>({ max: mostKeys })
  return {
    openTable: (_name, windowSeconds) => {
      const counts = createFailureCounts(windowSeconds, mostKeys, now)
      return {
        find: async (key) => ({ count: counts.count(key), msLeft: counts.msLeft(key) }),
        add: async (key) => ({ count: counts.add(key), msLeft: counts.msLeft(key) }),
        takeBack: async (key) => counts.takeBack(key),
        forget: async (key) => counts.forget(key),
      }
    },
    reserveTurn: async (gaps, mostMs) => {
      const place = Math.max(now(), ...[...gaps.keys()].map((line) => places.get(line) ?? 0))
      const waitMs = place - now()
      if (waitMs > mostMs) return waitMs
      for (const [line, gap] of gaps) places.set(line, place + gap)
      return waitMs
    },
  }
}

/** How far apart attempts are kept. */
interface SpacingLimits {
  /** For each so many failures within a day, attempts stand one second farther apart. */
  readonly failuresPerSecond: number
  /** At most so far apart, and nobody waits longer. */
  readonly maxSeconds: number
}

/** Keeps the attempts under a key the farther apart the more have failed: it slows down and never locks. */
interface Spacing {
  /**
   * Takes the next place under all of the keys and gives the time to wait for it, in milliseconds. Each line has places of
   * its own, so that one that is full holds up no other.
   * @throws ApiError `tooManyAttempts` when that is too long; then no place is taken
   */
  readonly reserveSlot: (keys: readonly string[], line: string) => Promise<number>
  readonly addFailure: (keys: readonly string[]) => Promise<void>
}

const daySeconds = 24 * 3600

/** Keeps attempts apart by what has failed under these counts. */
const createSpacing = ({ failuresPerSecond, maxSeconds }: SpacingLimits, counts: Counts): Spacing => {
  const mostMs = maxSeconds * 1000
  const failures = counts.openTable('failures of a day', daySeconds)
  const findGap = async (key: string): Promise<number> => {
    const { count } = await failures.find(key)
    return Math.min(mostMs, Math.floor(count / failuresPerSecond) * 1000)
  }

  return {
    reserveSlot: async (keys, line) => {
      const found = await Promise.all(keys.map(async (key) => [`${line} ${key}`, await findGap(key)] as const))
      const gaps = new Map(found.filter(([, gap]) => gap > 0))
      if (gaps.size === 0) return 0
      const waitMs = await counts.reserveTurn(gaps, mostMs)
      if (waitMs > mostMs) throw new ApiError('tooManyAttempts', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      return waitMs
    },
    addFailure: async (keys) => {
      await Promise.all(keys.map(failures.add))
    },
  }
}

const maxRegistrationsPerAddress = 20
const registrationWindowSeconds = 3600
const maxRegistrationKeys = 10_000

/** How often accounts are asked for. */
export interface Registrations {
  /** @throws ApiError `tooManyAttempts` when an address asked for 20 within an hour: each costs a hash and an account */
  readonly count: (address: string) => Promise<void>
}

/** Counts who asks, in memory unless the store counts for several processes. */
export const createRegistrations = (
  counts: Counts = createMemoryCounts(maxRegistrationKeys, () => performance.now()),
): Registrations => {
  const asked = counts.openTable('accounts asked for', registrationWindowSeconds)
  return {
    count: async (address) => {
      const { count, msLeft } = await asked.add(findAddressKey(address))
      if (count <= maxRegistrationsPerAddress) return
      throw new ApiError('tooManyAttempts', { retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)) })
    },
  }
}
