import { type Store, StoreFailed, type TakenErrand } from '../store/store.ts'
import type { SetTimer } from './timer.ts'

/** What takes errands works with. */
export interface TakingOptions {
  readonly store: Store
  readonly now: () => number
  readonly setTimer: SetTimer
  /** Does one errand, and has it settled by a write; may give a time (Unix ms) before which it is not to be taken again. */
  readonly tell: (errand: TakenErrand) => Promise<number | undefined>
  /** Told of what went wrong; the errand is told again later. */
  readonly onFault: (error: unknown) => void
}

/** How many errands are in hand at a time, waiting for their turn or under way: a few hundred bytes each. */
const mostInHand = 10_000

/** How long an errand rests that was not settled: the store may be full for a while, a mistake of ours stays one. */
const afterStoreFailedMs = 5_000
const afterFaultMs = 60_000

/** A store that was slow to say when the next is due must not keep us busy. */
const leastWaitMs = 1

/**
 * Takes errands when they are due, until it is closed. One timer waits for the next of all, so that nothing is done while
 * nothing is due.
 */
export const openTaking = ({ store, now, setTimer, tell, onFault }: TakingOptions) => {
  const underWay = new Set<Promise<void>>()
  let isClosed = false
  let isLooking = false
  let isToLookAgain = false
  let stopTimer = () => {}

  const work = async (errand: TakenErrand): Promise<void> => {
    let until: number | undefined
    try {
      until = await tell(errand)
    } catch (error) {
      until = now() + (error instanceof StoreFailed ? afterStoreFailedMs : afterFaultMs)
      onFault(error)
    }
    await errand.release(until)
  }

  const takeDue = async (): Promise<void> => {
    while (!isClosed && underWay.size < mostInHand) {
      const errand = await store.takeErrand(now())
      if (errand === undefined) break
      const working = work(errand)
        .catch(onFault)
        .then(() => {
          const wasFull = underWay.size >= mostInHand
          underWay.delete(working)
          if (wasFull) look()
        })
      underWay.add(working)
    }
    const next = isClosed || underWay.size >= mostInHand ? undefined : await store.nextErrandAt()
    if (next !== undefined && !isClosed) stopTimer = setTimer(Math.max(leastWaitMs, next - now()), look)
  }

  const look = (): void => {
    isToLookAgain = true
    if (isLooking || isClosed) return
    isLooking = true
    void (async () => {
      while (isToLookAgain && !isClosed) {
        isToLookAgain = false
        stopTimer()
        stopTimer = () => {}
        try {
          await takeDue()
        } catch (error) {
          onFault(error)
          stopTimer = setTimer(afterStoreFailedMs, look)
        }
      }
      isLooking = false
    })()
  }

  const stopWatching = store.watchErrands(look)
  look()

  return {
    /** Takes nothing more; resolves when what is under way has ended. */
    close: async (): Promise<void> => {
      isClosed = true
      stopTimer()
      stopWatching()
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
