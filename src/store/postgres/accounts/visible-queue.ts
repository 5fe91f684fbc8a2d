import { runInSlices, runWhole, type Work } from '../../../slices.ts'

/** What becomes visible in one account, one after the other. */
export interface VisibleQueue {
  /**
   * Does work once everything before it is done: at once, if it is short and there is nothing. The work is made when its
   * turn comes.
   */
  readonly show: (makeWork: () => Work<void>, isLong: boolean) => void
}

/** Nothing waits. */
export const createVisibleQueue = (): VisibleQueue => {
  const waiting: (() => Work<void>)[] = []
  let isShowing = false

  const showAll = async (): Promise<void> => {
    for (let makeWork = waiting.shift(); makeWork !== undefined; makeWork = waiting.shift())
      await runInSlices(makeWork())
    isShowing = false
  }

  const show: VisibleQueue['show'] = (makeWork, isLong) => {
    if (!isShowing && !isLong) {
      runWhole(makeWork())
      return
    }
    waiting.push(makeWork)
    if (isShowing) return
    isShowing = true
    void showAll()
  }

  return { show }
}
