/** Calls `onTime` once after `afterMs`, and returns a function that cancels it. Tests pass a fake timer. */
export type SetTimer = (afterMs: number, onTime: () => void) => () => void

/** `setTimeout` accepts no longer delays: it fires at once. */
const maxTimerMs = 2 ** 31 - 1

/** The system timer. It does not keep the process alive. */
export const systemTimer: SetTimer = (afterMs, onTime) => {
  const timer = setTimeout(onTime, Math.min(afterMs, maxTimerMs))
  timer.unref()
  return () => clearTimeout(timer)
}

/** The result of the last attempt at a receiver. Each result has its own pool of slots. */
export type PoolName = 'proven' | 'new' | 'failed'

/** A delivery to run. */
export interface Job {
  readonly userId: string
  /** The host that it sends to. */
  readonly host: string
  readonly pool: PoolName
  /** Runs the delivery. Never rejects. */
  readonly run: () => Promise<void>
  /** Called instead of `run` when the limiter is closed. */
  readonly drop: () => void
}

/** Maximum of jobs that run at a time. */
export interface DeliveryLimits {
  /** The slots of each pool: for jobs that began just now, and for slow jobs. */
  readonly pools: Readonly<Record<PoolName, { readonly quick: number; readonly slow: number }>>
  readonly perHost: number
  /** For one user at one host; fewer than `perHost`, so that other users get slots there. */
  readonly perHostAndUser: number
  /** For one user in total; messages to webhooks that the user has unregistered count until they end. */
  readonly perUser: number
  /** A job that takes longer is slow. */
  readonly slowAfterMs: number
}

/** Limits for a small machine. A job that hangs costs a socket, and a thousand proven receivers may hang at once. */
export const defaultDeliveryLimits: DeliveryLimits = {
  pools: { proven: { quick: 64, slow: 1024 }, new: { quick: 32, slow: 256 }, failed: { quick: 32, slow: 256 } },
  perHost: 8,
  perHostAndUser: 4,
  perUser: 32,
  slowAfterMs: 250,
}

/** Runs jobs within limits. */
interface Limiter {
  /** Runs a job when there is a slot for it. */
  readonly add: (job: Job) => void
  /** Starts no more jobs. Drops those that wait; those that run go on. */
  readonly close: () => void
}

/**
 * Creates a limiter under which receivers that hang delay no others. A job needs a slot of its pool, of its user, of
 * its host, and of its user at that host, all at once. Receivers that failed, and those never called before, have pools
 * of their own. A slow job gives its slot in the pool back. Wherever jobs wait, users take turns.
 *
 * `p-queue` has none of this: it limits the number of all jobs of a queue, and its jobs keep their slots to the end.
 * With a queue per host and user, a job would hold slots of one queue while it waits in the next.
 */
export const createLimiter = (setTimer: SetTimer, limits: DeliveryLimits = defaultDeliveryLimits): Limiter => {
  let isClosed = false
  const queued: Job[] = []
  let isQueueing = false
  const add = (job: Job): void => {
    queued.push(job)
    // A loop and no recursion: a job that waits at another limit frees the next job, and there may be thousands.
    if (isQueueing) return
    isQueueing = true
    for (let next = queued.shift(); next !== undefined; next = queued.shift()) {
      pools[next.pool].add(next)
      pools[next.pool].fill()
    }
    isQueueing = false
  }
  const hostsAndUsers = createHostAndUserLimits(limits, add)

  const createPool = ({ quick: maxQuick, slow: maxSlow }: DeliveryLimits['pools'][PoolName]) => {
    const waiting = createFairQueue()
    let [quick, slow] = [0, 0]
    /** Slow jobs that keep a quick slot until there is a slow one. */
    const overdue = new Set<Job>()

    const markSlow = (job: Job): void => {
      if (slow >= maxSlow) return void overdue.add(job)
      quick--
      slow++
      fill()
    }
    const run = async (job: Job): Promise<void> => {
      quick++
      let isSlow = false
      const stopTimer = setTimer(limits.slowAfterMs, () => {
        isSlow = true
        markSlow(job)
      })
      await job.run()
      stopTimer()
      if (!isSlow || overdue.delete(job)) quick--
      else {
        slow--
        const [oldest] = overdue
        if (oldest !== undefined && overdue.delete(oldest)) markSlow(oldest)
      }
      hostsAndUsers.release(job)
      fill()
    }
    const fill = (): void => {
      while (quick < maxQuick) {
        const job = waiting.next()
        if (job === undefined) return
        if (isClosed) job.drop()
        else if (hostsAndUsers.acquire(job)) void run(job)
      }
    }
    return { add: waiting.add, fill }
  }

  const pools = {
    proven: createPool(limits.pools.proven),
    new: createPool(limits.pools.new),
    failed: createPool(limits.pools.failed),
  }
  return {
    add,
    close: () => {
      isClosed = true
      for (const job of hostsAndUsers.takeWaiting()) job.drop()
      for (const pool of Object.values(pools)) pool.fill()
    },
  }
}

/** A limit that several jobs share. */
interface Limit {
  readonly key: string
  readonly max: number
  readonly waiting: FairQueue
  used: number
}

/**
 * Creates the limits per host, per user, and per user at a host. A job that finds one of them full waits there. When
 * there is a slot, the job is given to `retry`, to try all of its limits again.
 */
const createHostAndUserLimits = ({ perHost, perHostAndUser, perUser }: DeliveryLimits, retry: (job: Job) => void) => {
  const limits = new Map<string, Limit>()
  /** The limits whose free slots are meant for jobs that try again now. */
  const reserved = new Map<Job, Limit>()

  const findLimit = (key: string, max: number): Limit =>
    limits.get(key) ?? { key, max, waiting: createFairQueue(), used: 0 }
  const findLimits = ({ userId, host }: Job): readonly Limit[] => [
    findLimit(`user ${userId}`, perUser),
    findLimit(`host and user ${host} ${userId}`, perHostAndUser),
    findLimit(`host ${host}`, perHost),
  ]
  /** Each slot that is given back lets one job try; so while jobs wait, as many try as there are free slots. */
  const retryNext = (limit: Limit): void => {
    const next = limit.used < limit.max ? limit.waiting.next() : undefined
    if (next === undefined) return
    reserved.set(next, limit)
    retry(next)
  }

  return {
    /** Takes the slots of a job, which has to release them. Returns false if a limit is full; the job then waits. */
    acquire: (job: Job): boolean => {
      const needed = findLimits(job)
      const own = reserved.get(job)
      reserved.delete(job)
      // A free slot is reserved for the jobs that wait for it.
      const full = needed.find(
        (limit) => limit.used >= limit.max || (own?.key !== limit.key && !limit.waiting.isEmpty()),
      )
      for (const limit of full === undefined ? needed : [full]) limits.set(limit.key, limit)
      if (full === undefined) {
        for (const limit of needed) limit.used++
        return true
      }
      full.waiting.add(job)
      if (own !== undefined && own !== full) retryNext(own)
      return false
    },
    release: (job: Job): void => {
      const held = findLimits(job)
      for (const limit of held) limit.used--
      for (const limit of held) {
        retryNext(limit)
        if (limit.used === 0 && limit.waiting.isEmpty()) limits.delete(limit.key)
      }
    },
    /** Takes out all jobs that wait. */
    takeWaiting: (): readonly Job[] => {
      const all: Job[] = []
      for (const { waiting } of limits.values()) {
        for (let next = waiting.next(); next !== undefined; next = waiting.next()) all.push(next)
      }
      return all
    },
  }
}

/** A queue in which users take turns; the jobs of one user stay in order. */
interface FairQueue {
  readonly add: (job: Job) => void
  /** Takes out the next job. */
  readonly next: () => Job | undefined
  readonly isEmpty: () => boolean
}

/** Creates an empty queue. */
const createFairQueue = (): FairQueue => {
  const byUser = new Map<string, Job[]>()
  return {
    add: (job) => {
      const jobs = byUser.get(job.userId)
      if (jobs === undefined) byUser.set(job.userId, [job])
      else jobs.push(job)
    },
    next: () => {
      for (const [userId, jobs] of byUser) {
        const job = jobs.shift()
        byUser.delete(userId)
        // To the end of the queue.
        if (jobs.length > 0) byUser.set(userId, jobs)
        return job
      }
      return undefined
    },
    isEmpty: () => byUser.size === 0,
  }
}
