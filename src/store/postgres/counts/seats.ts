import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreFailed } from '../../store.ts'
import type { Database } from '../database/open-database.ts'
import { asKey } from '../registry/keys.ts'
import { endHolder, leaveSeat, renewHolder, takeSeat } from '../statements/seats.ts'

/** The seats of sessions, as this process takes them. */
export interface Seats {
  /** As `SharedCounts.takeSeat`. */
  readonly take: (userId: string, sessionId: string, most: number) => Promise<(() => void) | undefined>
  /** Says that this process lives, and leaves what could not be left; to be called every few seconds. @throws StoreFailed */
  readonly renew: () => Promise<void>
  /** Leaves all seats. @throws StoreFailed */
  readonly end: () => Promise<void>
}

interface Taken {
  readonly free: number
  readonly number: number | null
}

/** How long a request that has just ended elsewhere may take to leave its seat. */
const leavingMilliseconds = 150

/** No seat is taken. */
export const createSeats = (database: Database): Seats => {
  const holder = randomUUID()
  // What could not be left at once, because the database was away.
  const unleft = new Set<readonly [string, string, number]>()
  const leaving = new Set<Promise<void>>()
  let heldCount = 0
  let isKnown = false

  const tell = async (): Promise<void> => {
    await database.run(renewHolder, [holder])
    isKnown = true
  }

  const leave = async (seat: readonly [string, string, number]): Promise<void> => {
    try {
      await database.run(leaveSeat, [...seat, holder])
      unleft.delete(seat)
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error
      unleft.add(seat)
    }
  }

  const leaveSoon = (seat: readonly [string, string, number]): void => {
    heldCount -= 1
    const left = leave(seat).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  const seek = async (account: string, session: string, most: number): Promise<number | undefined> => {
    for (;;) {
      const [taken] = await database.run<Taken>(takeSeat, [account, session, holder, most])
      if (taken?.number !== null && taken !== undefined) return taken.number
      // Others have taken the seat that was free, and perhaps not the last one.
      if (taken === undefined || taken.free === 0) return undefined
    }
  }

  return {
    take: async (userId, sessionId, most) => {
      if (!isKnown) await tell()
      await Promise.all(leaving)
      const place = [asKey(userId), asKey(sessionId)] as const
      let number = await seek(...place, most)
      if (number === undefined) {
        await sleep(leavingMilliseconds)
        number = await seek(...place, most)
      }
      if (number === undefined) return undefined
      const seat = [...place, number] as const
      heldCount += 1
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        leaveSoon(seat)
      }
    },
    renew: async () => {
      if (heldCount > 0 || unleft.size > 0) await tell()
      else isKnown = false
      for (const seat of unleft) await leave(seat)
    },
    end: async () => {
      await Promise.all(leaving)
      if (isKnown || heldCount > 0 || unleft.size > 0) await database.run(endHolder, [holder])
    },
  }
}
