import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { ApiError, type ApiErrorKind } from '../api-error.ts'
import { foldName } from '../store/registry/registry.ts'
import type { Counts, KeyCount } from '../store/store.ts'
import { createFairQueue } from './passwords.ts'
import { findAddressKey, formatAddress, hashSecret } from './sessions.ts'
import type { CheckPassword } from './users.ts'

/** Limits on failed sign-in attempts and on waiting ones. */
export interface AttemptLimits {
  /** Maximum wrong passwords for one account from one IP address within the window. */
  readonly perPair: number
  /** Maximum wrong clients, refresh tokens, codes and links from one IP address within the window. */
  readonly perAddress: number
  readonly windowSeconds: number
  /** Each time that this many passwords were wrong within a day, attempts of new clients move 1 s further apart. */
  readonly failuresPerSecond: number
  readonly maxSpacingSeconds: number
  /** Maximum attempts that wait for the check of their password, for new and for known clients each. */
  readonly maxWaiting: number
  /** Maximum keys in each table. */
  readonly maxKeys: number
}

/** The limits of a server; docs/explanation/security-model.md explains them. */
export const defaultAttemptLimits: AttemptLimits = {
  perPair: 10,
  perAddress: 100,
  windowSeconds: 5 * 60,
  failuresPerSecond: 100,
  maxSpacingSeconds: 30,
  maxWaiting: 200,
  maxKeys: 10_000,
}

/** The source of an attempt: the IP address of the request, and the user name if there is one. */
export interface LoginAttempt {
  readonly address: string
  readonly username?: string
  /** The id of the request in the log. */
  readonly requestId?: string
}

/** A monotonic clock in milliseconds, and a way to wait. */
interface AttemptClock {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/**
 * Limits sign-in attempts: counts failures and slows guessing down. A client (an IP address) is known to an account
 * when its user signed in from there within 30 days; otherwise it is new.
 */
export interface LoginAttempts {
  /**
   * Runs the work and counts only its failures, so that failures of others never block a right secret. The work checks
   * passwords with `checkPassword`, which may wait or throw: a password is costly to check and can be guessed.
   * @throws ApiError `tooManyAttempts`, `signInsBusy`, each with `retryAfterSeconds`; what the work throws; StoreError
   *   when the counts cannot be read
   */
  readonly check: <T>(attempt: LoginAttempt, work: (checkPassword: CheckPassword) => Promise<T>) => Promise<T>
  /** Records a sign-in of the user from this IP address. From then on, guesses from elsewhere do not delay it. */
  readonly recordSuccess: (address: string, userId: string) => Promise<void>
}

const systemClock: AttemptClock = { now: () => performance.now(), sleep: (ms) => sleep(ms) }
const knownSeconds = 30 * 24 * 3600
// A sign-in within a day of the previous record does not write a new one.
const renewKnownMs = 29 * 24 * 3600 * 1000
const busySeconds = 5
// Each waiting attempt holds a connection and a few kilobytes.
const maxSleeping = 1_000

/** Errors of secrets that an attacker can guess without a user name; who sends none guesses nothing. */
const guessable: ReadonlySet<ApiErrorKind> = new Set([
  'clientInvalid',
  'refreshTokenInvalid',
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
 * Creates the limits on attempts (contract, errors: too many attempts). Calls `onFailure` for each failed attempt.
 * `counts` are the store's where several processes share it, otherwise in memory.
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
  const signIns = counts.openTable('who got in', knownSeconds)
  const spacing = createSpacing({ ...limits, maxSeconds: limits.maxSpacingSeconds }, counts)
  const createBusyError = () => new ApiError('signInsBusy', { retryAfterSeconds: busySeconds })
  // At a time, one password of a new client is checked, and one of a known client.
  const newClients = createFairQueue(maxWaiting, createBusyError)
  const knownClients = createFairQueue(maxWaiting, createBusyError)
  let sleeping = 0

  const waitForSlot = async (keys: readonly string[], queue: string): Promise<void> => {
    const ms = await spacing.reserveSlot(keys, queue)
    if (ms === 0) return
    if (sleeping >= maxSleeping) throw createBusyError()
    sleeping++
    await sleep(ms).finally(() => sleeping--)
  }

  const createPasswordCheck =
    ({ address, username = '' }: LoginAttempt): CheckPassword =>
    async (userId, verify) => {
      const addressKey = findAddressKey(address)
      // All spellings of a name count together. A text that is too long for a name counts as it was typed.
      const accountKey = hashSecret(foldName(username))
      const pair = `${addressKey} ${accountKey}`
      const hasSignedIn = async () => userId !== undefined && (await signIns.find(`${addressKey} ${userId}`)).count > 0
      const [failures, isKnown] = await Promise.all([pairs.find(pair), hasSignedIn()])
      if (failures.count >= perPair) throw createTooManyAttemptsError(failures)
      // In one queue, an attacker who keeps guessing would take every slot from the user on a new address.
      const queue = failures.count === 0 ? 'first' : 'again'
      if (!isKnown) await waitForSlot([addressKey, accountKey], queue)
      return (isKnown ? knownClients : newClients).run(addressKey, async () => {
        // Counted before the check: other processes may check at the same time, and earlier attempts may have failed.
        const counted = await pairs.add(pair)
        if (counted.count > perPair) throw createTooManyAttemptsError(counted)
        const isRight = await verify().catch(async (error: unknown) => {
          await pairs.subtract(pair)
          throw error
        })
        await (isRight ? pairs.forget(pair) : spacing.addFailure([addressKey, accountKey]))
        return isRight
      })
    }

  const countFailure = async (error: ApiError, address: string): Promise<ApiError> => {
    if (!guessable.has(error.kind)) return error
    const failures = await addresses.add(findAddressKey(address))
    return failures.count > perAddress ? createTooManyAttemptsError(failures) : error
  }

  return {
    check: async (attempt, work) => {
      try {
        return await work(createPasswordCheck(attempt))
      } catch (error) {
        const reason = error instanceof ApiError ? failureReasons[error.kind] : undefined
        if (!(error instanceof ApiError) || reason === undefined) throw error
        onFailure({ ...attempt, reason, ...(error.details.hash !== undefined && { isHashUncheckable: true }) })
        throw await countFailure(error, attempt.address)
      }
    },
    recordSuccess: async (address, userId) => {
      const key = `${findAddressKey(address)} ${userId}`
      const { msLeft } = await signIns.find(key)
      if (msLeft > renewKnownMs) return
      await signIns.forget(key)
      await signIns.add(key)
    },
  }
}

/** Why an attempt failed; `limit`: a limit rejected it before the check. */
export type FailureReason = 'password' | 'client' | 'request_token' | 'code' | 'link' | 'limit'

/** The errors that count as failed attempts. */
const failureReasons: Readonly<Partial<Record<ApiErrorKind, FailureReason>>> = {
  passwordInvalid: 'password',
  clientMissing: 'client',
  clientInvalid: 'client',
  refreshTokenInvalid: 'request_token',
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
  /** The name as it was typed, if there was one. */
  readonly username?: string
  readonly requestId?: string
  /** The hash of the user cannot be checked, so that no password is right. */
  readonly isHashUncheckable?: true
}

/** The text of the log about such a hash. The line about the attempt names the user. */
export const uncheckableHash =
  'the password of this user cannot be checked: its hash has another form than argon2id, or costs too much; give the user a new password with "user reset-password"'

const maxLoggedCharacters = 64

/**
 * Formats the log line of a failed attempt, which programs like fail2ban read (docs/how-to/host/monitoring.md). The untrusted user
 * name stands last, without spaces, quotes and other separators, so that it cannot imitate another part of the line.
 */
export const describeFailedAttempt = ({ address, reason, username }: FailedAttempt): string => {
  const line = `sign-in failed from ${formatAddress(address)}: reason=${reason}`
  if (username === undefined) return line
  const shown = [...username.slice(0, 4 * maxLoggedCharacters)].slice(0, maxLoggedCharacters).join('')
  return `${line} user=${shown.replace(/[^\p{L}\p{N}._@+-]/gu, '?')}`
}

/** Counts failures by key, within a window that begins with the key's first failure. Holds a limited number of keys. */
interface FailureCounts {
  readonly count: (key: string) => number
  /** Milliseconds until the counts forget the key's failures. */
  readonly msLeft: (key: string) => number
  /** Adds one failure and returns the new count. */
  readonly add: (key: string) => number
  /** Subtracts one failure. */
  readonly subtract: (key: string) => void
  readonly forget: (key: string) => void
}

/**
 * Creates empty counts. `now` is a monotonic clock in milliseconds: a change of the system time changes no window.
 * Keys that failed once and keys that failed again each have half of the capacity. A flood of new keys evicts other new
 * keys, and not the counts of attackers who continue.
 */
export const createFailureCounts = (windowSeconds: number, maxKeys: number, now: () => number): FailureCounts => {
  const openTable = () =>
    new LRUCache<string, number>({
      max: Math.ceil(maxKeys / 2),
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
    subtract: (key) => {
      const table = often.has(key) ? often : once
      const failures = table.get(key) ?? 0
      if (failures > 1) table.set(key, failures - 1)
      else table.delete(key)
    },
    forget: (key) => {
      once.delete(key)
      often.delete(key)
    },
  }
}

/**
 * Creates counts in the memory of this process, with at most `maxKeys` keys in each table. `now` is a monotonic clock
 * in milliseconds.
 */
const createMemoryCounts = (maxKeys: number, now: () => number): Counts => {
  const nextSlots = new LRUCache<string, number>({ max: maxKeys })
  return {
    openTable: (_name, windowSeconds) => {
      const counts = createFailureCounts(windowSeconds, maxKeys, now)
      return {
        find: async (key) => ({ count: counts.count(key), msLeft: counts.msLeft(key) }),
        add: async (key) => ({ count: counts.add(key), msLeft: counts.msLeft(key) }),
        subtract: async (key) => counts.subtract(key),
        forget: async (key) => counts.forget(key),
      }
    },
    reserveSlot: async (gaps, maxMs) => {
      const slot = Math.max(now(), ...[...gaps.keys()].map((key) => nextSlots.get(key) ?? 0))
      const waitMs = slot - now()
      if (waitMs > maxMs) return waitMs
      for (const [key, gap] of gaps) nextSlots.set(key, slot + gap)
      return waitMs
    },
  }
}

/** Limits of the spacing between attempts. */
interface SpacingLimits {
  /** Each time that this many attempts failed within a day, attempts move one second further apart. */
  readonly failuresPerSecond: number
  /** The maximum spacing, and the maximum time that an attempt waits. */
  readonly maxSeconds: number
}

/** Spaces the attempts under a key: the more failures, the larger the gap. It slows attempts down and never locks. */
interface Spacing {
  /**
   * Reserves the next slot under all keys and returns the milliseconds to wait for it. Each queue has its own slots, so
   * that a full queue delays no other.
   * @throws ApiError `tooManyAttempts` when the wait is too long; then it reserves nothing
   */
  readonly reserveSlot: (keys: readonly string[], queue: string) => Promise<number>
  readonly addFailure: (keys: readonly string[]) => Promise<void>
}

const daySeconds = 24 * 3600

/** Creates the spacing of attempts by the failures in these counts. */
const createSpacing = ({ failuresPerSecond, maxSeconds }: SpacingLimits, counts: Counts): Spacing => {
  const maxMs = maxSeconds * 1000
  const failures = counts.openTable('failures of a day', daySeconds)
  const findGap = async (key: string): Promise<number> => {
    const { count } = await failures.find(key)
    return Math.min(maxMs, Math.floor(count / failuresPerSecond) * 1000)
  }

  return {
    reserveSlot: async (keys, queue) => {
      const found = await Promise.all(keys.map(async (key) => [`${queue} ${key}`, await findGap(key)] as const))
      const gaps = new Map(found.filter(([, gap]) => gap > 0))
      if (gaps.size === 0) return 0
      const waitMs = await counts.reserveSlot(gaps, maxMs)
      if (waitMs > maxMs) throw new ApiError('tooManyAttempts', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
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

/** Limits how often an IP address registers accounts. */
export interface Registrations {
  /**
   * Counts a registration.
   * @throws ApiError `tooManyAttempts` after 20 from an address within an hour: each costs a hash and an account
   */
  readonly count: (address: string) => Promise<void>
}

/** Creates the limit on registrations. It counts in memory, unless the store counts for several processes. */
export const createRegistrations = (
  counts: Counts = createMemoryCounts(maxRegistrationKeys, () => performance.now()),
): Registrations => {
  const registrations = counts.openTable('accounts asked for', registrationWindowSeconds)
  return {
    count: async (address) => {
      const { count, msLeft } = await registrations.add(findAddressKey(address))
      if (count <= maxRegistrationsPerAddress) return
      throw new ApiError('tooManyAttempts', { retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)) })
    },
  }
}
