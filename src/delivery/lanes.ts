import { createDoors, type DoorLimits } from './doors.ts'
import type { SetTimer } from './timer.ts'
import { createTurns } from './turns.ts'

/** How the last try to a receiver ended; each kind waits in a lane of its own. */
export type LaneName = 'proven' | 'new' | 'failed'

/** Something to be sent. */
export interface Job {
  readonly userId: string
  /** Where it goes to. */
  readonly host: string
  readonly lane: LaneName
  /** Never rejects. */
  readonly run: () => Promise<void>
  /** Called instead of `run` when the lanes are closed. */
  readonly drop: () => void
}

/** How many run at a time. */
export interface LaneLimits extends DoorLimits {
  /** Of each lane: jobs that began just now, and jobs that take long. */
  readonly lanes: Readonly<Record<LaneName, { readonly quick: number; readonly slow: number }>>
  /** After so long a job counts as one that takes long. */
  readonly slowAfterMs: number
}

/** What a small machine can do; a job that hangs costs a socket. A thousand that worked may begin to hang at once. */
export const defaultLaneLimits: LaneLimits = {
  lanes: { proven: { quick: 64, slow: 1024 }, new: { quick: 32, slow: 256 }, failed: { quick: 32, slow: 256 } },
  perHost: 8,
  perHostAndUser: 4,
  perUser: 32,
  slowAfterMs: 250,
}

/**
 * Runs jobs so that receivers which hang delay nobody else: those that failed the last time, and those that were never
 * called, wait in lanes of their own; what takes long gives its place in the lane away; one host has few at a time, and one
 * user too; and users take turns.
 */
export const createLanes = (setTimer: SetTimer, limits: LaneLimits = defaultLaneLimits) => {
  let isClosed = false
  let isAdding = false
  const added: Job[] = []
  const add = (job: Job): void => {
    added.push(job)
    // Who waited at one door and then at the next lets another one go on, and there may be thousands.
    if (isAdding) return
    isAdding = true
    for (let next = added.shift(); next !== undefined; next = added.shift()) {
      lanes[next.lane].add(next)
      lanes[next.lane].fill()
    }
    isAdding = false
  }
  const doors = createDoors<Job>(limits, add)

  const createLane = ({ quick: mostQuick, slow: mostSlow }: LaneLimits['lanes'][LaneName]) => {
    const turns = createTurns<Job>()
    let [quick, slow] = [0, 0]
    // Those that take long, and found no place among those that do.
    const aged = new Set<Job>()

    const age = (job: Job): void => {
      if (slow >= mostSlow) return void aged.add(job)
      quick--
      slow++
      fill()
    }
    const run = async (job: Job): Promise<void> => {
      quick++
      let isSlow = false
      const stopTimer = setTimer(limits.slowAfterMs, () => {
        isSlow = true
        age(job)
      })
      await job.run()
      stopTimer()
      if (!isSlow || aged.delete(job)) quick--
      else {
        slow--
        const [oldest] = aged
        if (oldest !== undefined && aged.delete(oldest)) age(oldest)
      }
      doors.leave(job)
      fill()
    }
    const fill = (): void => {
      while (quick < mostQuick) {
        const job = turns.next()
        if (job === undefined) return
        if (isClosed) job.drop()
        else if (doors.enter(job)) void run(job)
      }
    }
    return { add: turns.add, fill }
  }

  const lanes = {
    proven: createLane(limits.lanes.proven),
    new: createLane(limits.lanes.new),
    failed: createLane(limits.lanes.failed),
  }
  return {
    /** Runs a job when it is its turn. */
    add,
    /** Runs nothing more; what waits is dropped, what runs goes on. */
    close: (): void => {
      isClosed = true
      for (const job of doors.takeWaiting()) job.drop()
      for (const lane of Object.values(lanes)) lane.fill()
    },
  }
}
