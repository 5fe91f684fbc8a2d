import type { Pace } from '../../client/src/environment.ts'

/** A clock that stands still until a test moves it. */
export interface DrivenClock {
  readonly pace: Pace
  /** What chance gives from now on, 0 to 1; 1 at first, so that each spread is its limit. */
  readonly setRandom: (value: number) => void
  /** Lets time pass, and whatever is due come in its order. */
  readonly pass: (milliseconds: number) => Promise<void>
  /** Moves the time of day alone, as when a machine sleeps: what waits goes on waiting. */
  readonly jump: (milliseconds: number) => void
}

/** A clock at the beginning of 1970. */
export const createDrivenClock = (): DrivenClock => {
  let running = 0
  let ahead = 0
  let random = 1
  const sleepers = new Set<{ readonly at: number; readonly wake: (isOver: boolean) => void }>()

  const sleep: Pace['sleep'] = (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve(false)
      const sleeper = {
        at: running + milliseconds,
        wake: (isOver: boolean) => {
          sleepers.delete(sleeper)
          resolve(isOver)
        },
      }
      sleepers.add(sleeper)
      signal?.addEventListener('abort', () => sleeper.wake(false))
    })
  const settle = async () => {
    for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    pace: { now: () => running + ahead, random: () => random, sleep },
    setRandom: (value) => {
      random = value
    },
    pass: async (milliseconds) => {
      const end = running + milliseconds
      await settle()
      while (true) {
        const [next] = [...sleepers].sort((one, other) => one.at - other.at)
        if (next === undefined || next.at > end) break
        running = Math.max(running, next.at)
        next.wake(true)
        await settle()
      }
      running = end
    },
    jump: (milliseconds) => {
      ahead += milliseconds
    },
  }
}
