import { Refused } from '../refused.ts'
import type { Session } from '../store/registry/registry.ts'
import type { SharedCounts } from '../store/store.ts'

/** Who waits for changes: so many requests of each session at a time. */
export interface Seats {
  /**
   * Takes a seat for a session; gives how it is left.
   * @throws Refused `tooManyWaiting` when the session has all of its seats; StoreFailed
   */
  readonly take: (session: Pick<Session, 'id' | 'userId'>) => Promise<() => void>
}

const retryAfterSeconds = 5

const refuse = (most: number): Refused => new Refused('tooManyWaiting', { most, retryAfterSeconds })

/** Nobody waits; `most` is how many requests of one session may. */
export const createSeats = (most: number): Seats => {
  const taken = new Map<string, number>()
  return {
    take: async ({ id }) => {
      const count = taken.get(id) ?? 0
      if (count >= most) throw refuse(most)
      taken.set(id, count + 1)
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        const others = (taken.get(id) ?? 1) - 1
        if (others === 0) taken.delete(id)
        else taken.set(id, others)
      }
    },
  }
}

/** Seats that the processes of a store have together. */
export const createSharedSeats = (most: number, { takeSeat }: SharedCounts): Seats => ({
  take: async ({ userId, id }) => {
    const leave = await takeSeat(userId, id, most)
    if (leave === undefined) throw refuse(most)
    return leave
  },
})
