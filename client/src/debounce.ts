import type { Pace } from './pace.ts'

/** Runs the work once it was quiet for so long after the last touch, and at the latest ten times that after the first. */
export const createDebounce = (pace: Pace, quietMilliseconds: number, work: () => void) => {
  let firstAt: number | undefined
  let pause = new AbortController()

  const touch = async (): Promise<void> => {
    firstAt ??= pace.now()
    pause.abort()
    pause = new AbortController()
    const latest = firstAt + 10 * quietMilliseconds - pace.now()
    if (!(await pace.sleep(Math.max(0, Math.min(quietMilliseconds, latest)), pause.signal))) return
    firstAt = undefined
    work()
  }
  return { touch: () => void touch(), stop: () => pause.abort() }
}
