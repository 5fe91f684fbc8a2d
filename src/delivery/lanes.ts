import type { SetTimer } from './timer.ts'

/** How the last try to a receiver ended; each kind waits in a lane of its own. */
export type LaneName = 'proven' | 'new' | 'failed'

/** Something to be sent. */
export interface Job {
  readonly userId: string
  /** Host and port that it goes to. */
  readonly host: string
  readonly lane: LaneName
  /** Never rejects. */
  readonly run: () => Promise<void>
  /** Called instead of `run` when the lanes are closed. */
  readonly drop: () => void
}

/** How many run at a time. */
export interface LaneLimits {
  /** Of each lane: jobs that began just now, and jobs that take long. */
  readonly lanes: Readonly<Record<LaneName, { readonly quick: number; readonly slow: number }>>
  readonly perHost: number
  /** After so long a job counts as one that takes long. */
  readonly slowAfterMs: number
}

/** What a small machine can do; a job that hangs costs a socket. A thousand that worked may begin to hang at once. */
export const defaultLaneLimits: LaneLimits = {
  lanes: { proven: { quick: 64, slow: 1024 }, new: { quick: 32, slow: 256 }, failed: { quick: 32, slow: 256 } },
  perHost: 8,
  slowAfterMs: 250,
}

/** Who is next where users take turns. */
const createTurns = () => {
  const byUser = new Map<string, Job[]>()
  return {
    add: (job: Job): void => {
      const jobs = byUser.get(job.userId)
      if (jobs === undefined) byUser.set(job.userId, [job])
      else jobs.push(job)
    },
    next: (): Job | undefined => {
      for (const [userId, jobs] of byUser) {
        const job = jobs.shift()
        byUser.delete(userId)
        // To the end of the line.
        if (jobs.length > 0) byUser.set(userId, jobs)
        return job
      }
      return undefined
    },
  }
}

/**
 * Runs jobs so that receivers which hang delay nobody else: those that failed the last time, and those that were never
 * called, wait in lanes of their own; what takes long gives its place in the lane away; one host has few at a time; and
 * users take turns.
 */
export const createLanes = (setTimer: SetTimer, limits: LaneLimits = defaultLaneLimits) => {
  const hosts = new Map<string, { running: number; readonly waiting: Job[] }>()
  let isClosed = false

  const createLane = ({ quick: mostQuick, slow: mostSlow }: LaneLimits['lanes'][LaneName]) => {
    const turns = createTurns()
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
      leaveHost(job)
      fill()
    }
    const fill = (): void => {
      while (quick < mostQuick) {
        const job = turns.next()
        if (job === undefined) return
        if (isClosed) job.drop()
        else if (enterHost(job)) void run(job)
      }
    }
    return { add: turns.add, fill }
  }

  const enterHost = (job: Job): boolean => {
    const host = hosts.get(job.host) ?? { running: 0, waiting: [] }
    hosts.set(job.host, host)
    if (host.running >= limits.perHost) {
      host.waiting.push(job)
      return false
    }
    host.running++
    return true
  }
  const leaveHost = ({ host: name }: Job): void => {
    const host = hosts.get(name)
    if (host === undefined) return
    host.running--
    const next = host.waiting.shift()
    if (next !== undefined) add(next)
    else if (host.running === 0) hosts.delete(name)
  }

  const lanes = {
    proven: createLane(limits.lanes.proven),
    new: createLane(limits.lanes.new),
    failed: createLane(limits.lanes.failed),
  }
  const add = (job: Job): void => {
    lanes[job.lane].add(job)
    lanes[job.lane].fill()
  }

  return {
    /** Runs a job when it is its turn. */
    add,
    /** Runs nothing more; what waits is dropped, what runs goes on. */
    close: (): void => {
      isClosed = true
      for (const { waiting } of hosts.values()) for (const job of waiting.splice(0)) job.drop()
      for (const lane of Object.values(lanes)) lane.fill()
    },
  }
}
