import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type RefusalKind, Refused } from '../refused.ts'
import { foldName } from '../store/fold-name.ts'
import { keyOfAddress } from './address-key.ts'
import type { CheckPassword } from './check-user.ts'
import { type FailedAttempt, failureReasons } from './failed-attempt.ts'
import { createFailureCounts, type FailureCounts } from './failure-counts.ts'
import { createFairQueue } from './fair-queue.ts'
import { hashSecret } from './hash.ts'
import { createSpacing } from './spacing.ts'

/** How many failed attempts are allowed, and how many may wait. */
export interface AttemptLimits {
  /** Wrong passwords for one account from one address within the window. */
  readonly perPair: number
  /** Wrong clients, request tokens, codes and links from one address within the window that are answered as such. */
  readonly perAddress: number
  readonly windowSeconds: number
  /** For each so many wrong passwords of a day, strangers' attempts on the account and from the address stand 1 s apart. */
  readonly failuresPerSecond: number
  readonly mostSpacingSeconds: number
  /** Attempts that wait for their password to be checked, strangers' and others' each. */
  readonly mostWaiting: number
  /** Keys that each table remembers. */
  readonly mostKeys: number
}

/** The limits of a server; docs/operations.md tells operators what they mean. */
export const defaultAttemptLimits: AttemptLimits = {
  perPair: 10,
  perAddress: 100,
  windowSeconds: 5 * 60,
  failuresPerSecond: 100,
  mostSpacingSeconds: 30,
  mostWaiting: 200,
  mostKeys: 10_000,
}

/** Whose attempt it is: the address that the request came from, and the user name if one was given. */
export interface Attempt {
  readonly address: string
  readonly username?: string
  /** What the log calls the request. */
  readonly requestId?: string
}

/** A clock that nobody sets, in milliseconds, and a way to wait. */
export interface AttemptClock {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** Judges attempts to get in, counts those that fail, and keeps guessing slow; all in memory. */
export interface Attempts {
  /**
   * Judges first and counts failures only, so what is right is never refused for what others did. Passwords, which are
   * costly to check and may be guessed, are checked by `checkPassword`, which may wait or refuse.
   * @throws Refused `tooManyAttempts`, `signInsBusy` with `retryAfterSeconds`; what the work throws
   */
  readonly judge: <T>(attempt: Attempt, work: (checkPassword: CheckPassword) => Promise<T>) => Promise<T>
  /** Remembers that the user got in from this address: strangers elsewhere cannot slow down attempts from there. */
  readonly welcome: (address: string, userId: string) => void
}

const systemClock: AttemptClock = { now: () => performance.now(), sleep: (ms) => sleep(ms) }
const welcomeMs = 30 * 24 * 3600 * 1000
const busySeconds = 5
// Who waits for a place costs a connection and a few kilobytes.
const mostSleeping = 1_000

/** What can be guessed without knowing a user's name. */
const guessed: ReadonlySet<RefusalKind> = new Set([
  'clientInvalid',
  'requestTokenInvalid',
  'codeInvalid',
  'codeRedirectWrong',
  'codeVerifierMissing',
  'codeVerifierWrong',
  'codeVerifierUnexpected',
  'linkInvalid',
])

const refuse = (failures: FailureCounts, key: string): Refused =>
  new Refused('tooManyAttempts', { retryAfterSeconds: Math.max(1, Math.ceil(failures.msLeft(key) / 1000)) })

/** Attempts that nobody has made yet (contract, errors: too many attempts). `onFailure` is told of each that fails. */
export const createAttempts = (
  onFailure: (failure: FailedAttempt) => void,
  limits: AttemptLimits = defaultAttemptLimits,
  { now, sleep }: AttemptClock = systemClock,
): Attempts => {
  const { perPair, perAddress, windowSeconds, mostKeys, mostWaiting } = limits
  const pairs = createFailureCounts(windowSeconds, mostKeys, now)
  const addresses = createFailureCounts(windowSeconds, mostKeys, now)
  const { failuresPerSecond, mostSpacingSeconds: mostSeconds } = limits
  const spacing = createSpacing({ failuresPerSecond, mostSeconds, mostKeys }, now)
  const welcomed = new LRUCache<string, true>({ max: mostKeys, ttl: welcomeMs, ttlResolution: 0, perf: { now } })
  const refuseBusy = () => new Refused('signInsBusy', { retryAfterSeconds: busySeconds })
  // One password of a stranger is checked at a time, and beside it one of somebody who has been here before.
  const strangers = createFairQueue(mostWaiting, refuseBusy)
  const others = createFairQueue(mostWaiting, refuseBusy)
  let sleeping = 0

  const waitForPlace = async (keys: readonly string[], line: string): Promise<void> => {
    const ms = spacing.takePlace(keys, line)
    if (ms === 0) return
    if (sleeping >= mostSleeping) throw refuseBusy()
    sleeping++
    await sleep(ms).finally(() => sleeping--)
  }

  const checkerOf =
    ({ address, username = '' }: Attempt): CheckPassword =>
    async (userId, verify) => {
      const addressKey = keyOfAddress(address)
      // A name may be long; its hash is not.
      const accountKey = hashSecret(foldName(username))
      const pair = `${addressKey} ${accountKey}`
      const refuseSpent = () => {
        if (pairs.count(pair) >= perPair) throw refuse(pairs, pair)
      }
      refuseSpent()
      const isWelcome = userId !== undefined && welcomed.has(`${addressKey} ${userId}`)
      // Those who go on guessing would else take every place from an owner on a new address.
      const line = pairs.count(pair) === 0 ? 'first' : 'again'
      if (!isWelcome) await waitForPlace([addressKey, accountKey], line)
      return (isWelcome ? others : strangers).run(addressKey, async () => {
        // Those before it in the queue may have failed meanwhile.
        refuseSpent()
        const isRight = await verify()
        if (isRight) pairs.forget(pair)
        else {
          pairs.add(pair)
          spacing.addFailure([addressKey, accountKey])
        }
        return isRight
      })
    }

  const countFailure = (error: Refused, address: string): Refused => {
    if (!guessed.has(error.kind)) return error
    const key = keyOfAddress(address)
    return addresses.add(key) > perAddress ? refuse(addresses, key) : error
  }

  return {
    judge: async (attempt, work) => {
      try {
        return await work(checkerOf(attempt))
      } catch (error) {
        const reason = error instanceof Refused ? failureReasons[error.kind] : undefined
        if (!(error instanceof Refused) || reason === undefined) throw error
        onFailure({ ...attempt, reason })
        throw countFailure(error, attempt.address)
      }
    },
    welcome: (address, userId) => {
      welcomed.set(`${keyOfAddress(address)} ${userId}`, true)
    },
  }
}
