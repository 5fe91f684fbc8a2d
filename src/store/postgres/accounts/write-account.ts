import { setTimeout as wait } from 'node:timers/promises'
import { type Draft, StoreFailed } from '../../store.ts'
import type { Turns } from '../../write/turns.ts'
import { WriteMissed } from './chain.ts'
import { type Feed, FeedEnded } from './feed.ts'
import type { Feeds } from './feeds.ts'
import type { Raises } from './raises.ts'

/** Work to be done on an account. */
export interface AccountWork<T> {
  readonly userId: string
  readonly writer: string
  readonly work: (draft: Draft) => Promise<T>
}

/** What a try came to: a result or what the work has thrown, to be told when `end` resolves. */
interface Tried<T> {
  readonly answer: () => T
  readonly end: Promise<void>
}

/** Of two processes that write one account at the same time one is first; the other tries again, so often at most. */
const mostTries = 60
const triesWithoutRest = 2
/** Where others are not to blame, the database may be another one now. */
const triesToRaise = 2
const mostRestMilliseconds = 40

/**
 * How a try begins: on an account that was loaded just now; after a look whether there is news; or, which is nearly as
 * good where no other process writes, without one.
 */
type Start = 'loaded' | 'look' | 'trust'

const tryWork = async <T>(
  feed: Feed,
  start: Start,
  { writer, work }: Omit<AccountWork<T>, 'userId'>,
): Promise<Tried<T>> => {
  if (start === 'look') await feed.catchUp()
  const staging = feed.chain.stage(writer)

  /** What was only read is an answer, too: it must be what is kept, and nothing that others have changed since. */
  const confirm = async (): Promise<void> => {
    await staging.whenBaseKept()
    if (start !== 'trust' || (await feed.isNewest(staging.revision)) || (await staging.isFollowed())) return
    throw new WriteMissed()
  }

  try {
    const result = await work(staging.draft)
    const sent = staging.send()
    return { answer: () => result, end: sent ?? confirm() }
  } catch (error) {
    const answer = (): never => {
      throw error
    }
    return { answer, end: confirm() }
  }
}

/**
 * Runs work on an account and keeps its changes, all or none. The work runs on what this process knows of the account;
 * where another one has written meanwhile it runs again.
 * @throws what the work throws; StoreFailed
 */
export const writeAccount = async <T>(
  { feeds, turns, raises }: { readonly feeds: Feeds; readonly turns: Turns; readonly raises: Raises },
  { userId, ...account }: AccountWork<T>,
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      const tried = await turns.take(userId, () =>
        feeds.use(userId, async (feed, isFresh) => {
          const mayTrust = tries === 1 && !feed.isShared()
          return tryWork(feed, isFresh ? 'loaded' : mayTrust ? 'trust' : 'look', account)
        }),
      )
      // The next write is at work meanwhile, and may be kept together with this one.
      await tried.end
      return tried.answer()
    } catch (error) {
      if (!(error instanceof WriteMissed || error instanceof FeedEnded)) throw error
      if (tries === mostTries) throw new StoreFailed('others write to this account all the time')
    }
    if (tries % triesToRaise === 0) {
      await raises.raise(userId)
      // Nobody knows of an account that is new but who loads it.
      if (feeds.find(userId)?.place().revision === 0) feeds.drop(userId)
    }
    if (tries > triesWithoutRest) await wait(Math.random() * Math.min(mostRestMilliseconds, 2 ** tries))
  }
}
