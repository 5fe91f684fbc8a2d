import { setTimeout as sleep } from 'node:timers/promises'
import { type RefusalKind, Refused } from '../refused.ts'
import { foldName } from '../store/registry/fold-name.ts'
import type { Counts, KeyCount } from '../store/store.ts'
import { keyOfAddress } from './address-key.ts'
import type { CheckPassword } from './check-user.ts'
import { type FailedAttempt, failureReasons } from './failed-attempt.ts'
import { createFairQueue } from './fair-queue.ts'
import { hashSecret } from './hash.ts'
import { createMemoryCounts } from './memory-counts.ts'
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

/** Judges attempts to get in, counts those that fail, and keeps guessing slow. */
export interface Attempts {
  /**
   * Judges first and counts failures only, so what is right is never refused for what others did. Passwords, which are
   * costly to check and may be guessed, are checked by `checkPassword`, which may wait or refuse.
   * @throws Refused `tooManyAttempts`, `signInsBusy` with `retryAfterSeconds`; what the work throws; StoreFailed when what
   * is counted cannot be asked
   */
  readonly judge: <T>(attempt: Attempt, work: (checkPassword: CheckPassword) => Promise<T>) => Promise<T>
  /** Remembers that the user got in from this address: strangers elsewhere cannot slow down attempts from there. */
  readonly welcome: (address: string, userId: string) => Promise<void>
}

const systemClock: AttemptClock = { now: () => performance.now(), sleep: (ms) => sleep(ms) }
const welcomeSeconds = 30 * 24 * 3600
// One who comes again soon is known for as long.
const welcomeAgainMs = 29 * 24 * 3600 * 1000
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

const refuse = ({ msLeft }: KeyCount): Refused =>
  new Refused('tooManyAttempts', { retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)) })

/**
 * Judges attempts (contract, errors: too many attempts). `onFailure` is told of each that fails. `counts` are those of the
 * store where several processes share it, and else in memory.
 */
export const createAttempts = (
  onFailure: (failure: FailedAttempt) => void,
  limits: AttemptLimits = defaultAttemptLimits,
  { now, sleep }: AttemptClock = systemClock,
  counts: Counts = createMemoryCounts(limits.mostKeys, now),
): Attempts => {
  const { perPair, perAddress, windowSeconds, mostWaiting } = limits
  const pairs = counts.openTable('wrong passwords', windowSeconds)
  const addresses = counts.openTable('wrong secrets', windowSeconds)
  const welcomed = counts.openTable('who got in', welcomeSeconds)
  const spacing = createSpacing({ ...limits, mostSeconds: limits.mostSpacingSeconds }, counts)
  const refuseBusy = () => new Refused('signInsBusy', { retryAfterSeconds: busySeconds })
  // One password of a stranger is checked at a time, and beside it one of somebody who has been here before.
  const strangers = createFairQueue(mostWaiting, refuseBusy)
  const others = createFairQueue(mostWaiting, refuseBusy)
  let sleeping = 0

  const waitForPlace = async (keys: readonly string[], line: string): Promise<void> => {
    const ms = await spacing.takePlace(keys, line)
    if (ms === 0) return
    if (sleeping >= mostSleeping) throw refuseBusy()
    sleeping++
    await sleep(ms).finally(() => sleeping--)
  }

  const checkerOf =
    ({ address, username = '' }: Attempt): CheckPassword =>
    async (userId, verify) => {
      const addressKey = keyOfAddress(address)
      // All spellings of a name count together; a text too long for a name is counted as it was typed.
      const accountKey = hashSecret(foldName(username))
      const pair = `${addressKey} ${accountKey}`
      const isKnown = async () => userId !== undefined && (await welcomed.find(`${addressKey} ${userId}`)).count > 0
      const [tries, isWelcome] = await Promise.all([pairs.find(pair), isKnown()])
      if (tries.count >= perPair) throw refuse(tries)
      // Those who go on guessing would else take every place from an owner on a new address.
      const line = tries.count === 0 ? 'first' : 'again'
      if (!isWelcome) await waitForPlace([addressKey, accountKey], line)
      return (isWelcome ? others : strangers).run(addressKey, async () => {
        // Before it is judged, because others may be at it elsewhere; those before it in the queue may have failed.
        const taken = await pairs.add(pair)
        if (taken.count > perPair) throw refuse(taken)
        const isRight = await verify().catch(async (error: unknown) => {
          await pairs.takeBack(pair)
          throw error
        })
        await (isRight ? pairs.forget(pair) : spacing.addFailure([addressKey, accountKey]))
        return isRight
      })
    }

  const countFailure = async (error: Refused, address: string): Promise<Refused> => {
    if (!guessed.has(error.kind)) return error
    const failures = await addresses.add(keyOfAddress(address))
    return failures.count > perAddress ? refuse(failures) : error
  }

  return {
    judge: async (attempt, work) => {
      try {
        return await work(checkerOf(attempt))
      } catch (error) {
        const reason = error instanceof Refused ? failureReasons[error.kind] : undefined
        if (!(error instanceof Refused) || reason === undefined) throw error
        onFailure({ ...attempt, reason, ...(error.details.hash !== undefined && { isHashUncheckable: true }) })
        throw await countFailure(error, attempt.address)
      }
    },
    welcome: async (address, userId) => {
      const key = `${keyOfAddress(address)} ${userId}`
      const { msLeft } = await welcomed.find(key)
      if (msLeft > welcomeAgainMs) return
      await welcomed.forget(key)
      await welcomed.add(key)
    },
  }
}
