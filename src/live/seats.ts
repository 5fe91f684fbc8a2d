import { Refused } from '../refused.ts'

/** Who waits for changes: so many requests of each session at a time. */
export interface Seats {
  /**
   * Takes a seat for a session; gives how it is left.
   * @throws Refused `tooManyWaiting` when the session has all of its seats
   */
  readonly take: (sessionId: string) => () => void
}

const retryAfterSeconds = 5

/** Nobody waits; `most` is how many requests of one session may. */
export const createSeats = (most: number): Seats => {
  const taken = new Map<string, number>()
  return {
    take: (sessionId) => {
      const count = taken.get(sessionId) ?? 0
      if (count >= most) throw new Refused('tooManyWaiting', { most, retryAfterSeconds })
      taken.set(sessionId, count + 1)
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        const others = (taken.get(sessionId) ?? 1) - 1
        if (others === 0) taken.delete(sessionId)
        else taken.set(sessionId, others)
      }
    },
  }
}
