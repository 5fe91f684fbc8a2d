import type { Account } from './account/account.ts'
import { createAhead } from './ahead.ts'
import type { Change } from './change.ts'
import type { Outcome } from './keeper.ts'
import { type Staging, stageChanges } from './staging.ts'

/**
 * Writes of one account on their way to the disk. Each is staged on top of those before it, so that several can be on
 * their way together; readers see none before it is durable. When one fails, so do all that build on it.
 */
export interface Pipeline {
  /** Begins a write on top of all that were sent. Writes are staged and sent one after the other. */
  readonly stage: (writer: string) => SentStaging
  /** True when nothing is on its way. */
  readonly isIdle: () => boolean
}

/** A staging that can be sent. */
export interface SentStaging extends Pick<Staging, 'draft'> {
  /** Ends the write and hands its changes to a keeper; resolves when they are durable and visible. */
  readonly send: (keep: (changes: readonly Change[], outcome: Outcome) => void) => Promise<void>
}

/** A pipeline in which nothing is on its way. */
export const createPipeline = (account: Account): Pipeline => {
  let ahead = createAhead(account)
  let last: Promise<void> = Promise.resolve()
  let onTheirWay = 0

  const stage = (writer: string): SentStaging => {
    const base = ahead
    const staging = stageChanges(base, writer)

    const send: SentStaging['send'] = (keep) => {
      const changes = staging.finish()
      const failure = base.failure()
      if (failure !== undefined) return Promise.reject(failure)
      // What it read may not be durable yet, and its answer must not tell of it before.
      if (changes.length === 0) return last
      base.add(changes)
      onTheirWay += 1
      last = new Promise((resolve, reject) => {
        keep(changes, {
          kept: () => {
            onTheirWay -= 1
            account.apply(changes)
            base.remove(changes)
            resolve()
          },
          failed: (error) => {
            onTheirWay -= 1
            base.fail(error)
            if (ahead === base) {
              ahead = createAhead(account)
              last = Promise.resolve()
            }
            reject(error)
          },
        })
      })
      return last
    }

    return { draft: staging.draft, send }
  }

  return { stage, isIdle: () => onTheirWay === 0 }
}
