import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type RefusalKind, Refused } from '../refused.ts'
import { createTurns } from '../store/turns.ts'
import { hashSecret } from './hash.ts'

/** How many failed attempts are allowed within a time. */
export interface AttemptLimits {
  readonly perAccount: number
  readonly perAddress: number
  readonly windowSeconds: number
}

/** 10 failures per account and 100 per address within 5 minutes. */
export const defaultAttemptLimits: AttemptLimits = { perAccount: 10, perAddress: 100, windowSeconds: 5 * 60 }

/** Whose attempt it is: the address that the request came from, and the user name if one was given. */
export interface Attempt {
  readonly address: string
  readonly username?: string
}

const failures: ReadonlySet<RefusalKind> = new Set(['clientInvalid', 'passwordInvalid', 'requestTokenInvalid'])

/** Counts failed attempts in memory and refuses further ones for a while. */
export interface Attempts {
  /**
   * Runs the attempt unless its account or address has failed too often; it fails by throwing Refused `clientInvalid`,
   * `passwordInvalid` or `requestTokenInvalid`. A success clears the account's count, not the address's.
   * @throws Refused `tooManyAttempts` with `retryAfterSeconds`; what the attempt throws
   */
  readonly run: <T>(attempt: Attempt, work: () => Promise<T>) => Promise<T>
}

/** Attempts that nobody has made yet (contract, errors: too many attempts). */
export const createAttempts = (limits: AttemptLimits = defaultAttemptLimits): Attempts => {
  const { perAccount, perAddress, windowSeconds: duration } = limits
  const accounts = new RateLimiterMemory({ keyPrefix: '', points: perAccount, duration })
  const addresses = new RateLimiterMemory({ keyPrefix: '', points: perAddress, duration })
  const turns = createTurns()

  const refuseWhenSpent = async (limiter: RateLimiterMemory, key: string): Promise<void> => {
    const spent = await limiter.get(key)
    if (spent === null || spent.consumedPoints < limiter.points) return
    throw new Refused('tooManyAttempts', { retryAfterSeconds: Math.max(1, Math.ceil(spent.msBeforeNext / 1000)) })
  }

  const run = async <T>(address: string, account: string | undefined, work: () => Promise<T>): Promise<T> => {
    await refuseWhenSpent(addresses, address)
    if (account !== undefined) await refuseWhenSpent(accounts, account)
    try {
      const result = await work()
      if (account !== undefined) await accounts.delete(account)
      return result
    } catch (error) {
      if (error instanceof Refused && failures.has(error.kind)) {
        await addresses.penalty(address)
        if (account !== undefined && error.kind === 'passwordInvalid') await accounts.penalty(account)
      }
      throw error
    }
  }

  return {
    run: ({ address, username }, work) => {
      if (username === undefined) return run(address, undefined, work)
      // A name may be as long as a body; its hash is not.
      const account = hashSecret(username)
      // Passwords are tried one after the other, or many at once would all begin before the first has failed.
      return turns.take(`address ${address}`, () => turns.take(`account ${account}`, () => run(address, account, work)))
    },
  }
}
