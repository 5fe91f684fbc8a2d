import { ApiError, type ApiErrorKind } from '../api-error.ts'
import { defaultJsonLimits, type JsonLimits } from '../wire/json.ts'
import { type ByteThrottle, createByteThrottle } from '../wire/request-body.ts'

/**
 * The limits of requests, so that an unauthenticated client costs little and no client blocks others (contract, the
 * access token; order of checks). This is the only table of these numbers; `docs/reference/limits.md` shows it.
 */
export interface Limits extends JsonLimits {
  /** Bytes of a body. Above: 413. */
  readonly maxBodyBytes: number
  /** Fields of a form. Above: 413. */
  readonly maxFormFields: number
  /** Bytes of a body of /token and /revoke, which are always unauthenticated. Above: 413. */
  readonly maxGrantBodyBytes: number
  /** Fields of such a body. Above: 413. */
  readonly maxGrantFields: number
  /** Bytes of a JSON body that contains the access token. Above: 413. */
  readonly maxUnauthenticatedJsonBytes: number
  /** Bytes of a form up to the end of its access token. Above: 413. */
  readonly maxUnauthenticatedFormBytes: number
  /** Bytes of all unauthenticated bodies under way in the process. Above: 429. */
  readonly maxUnauthenticatedBytes: number
  /** The same from one address. Above: 429. */
  readonly maxUnauthenticatedBytesPerAddress: number
  /**
   * Seconds in which such a body cannot be evicted, unless its address holds more bytes than the new body's address.
   */
  readonly minUnauthenticatedSeconds: number
  /** Bytes a second of all unauthenticated or rejected bodies. Above: their streams are paused. */
  readonly maxUnauthenticatedBytesPerSecond: number
  /** Bytes of long bodies that are decoded and handled at a time. Others wait, and a larger body runs alone. */
  readonly maxLongBodyBytes: number
  /** Bytes of one user's bodies under way, each until its response. Above: 429. */
  readonly maxUserBytes: number
  /** Requests of one session that wait for changes: long polling and event streams together. Above: 429. */
  readonly maxWaitsPerSession: number
  /** Seconds after which a silent event stream gets a comment. An expired token is noticed within this time. */
  readonly keepAliveSeconds: number
  /** Bytes of a rejected body that are received and dropped before its connection is closed. */
  readonly maxDiscardedBytes: number
}

const KiB = 1024
const MiB = 1024 * KiB

/** Creates the limits of a server. Limits that depend on `maxBodyBytes` are derived from it unless they are given. */
export const createLimits = ({ maxBodyBytes = 32 * MiB, ...given }: Partial<Limits> = {}): Limits => ({
  ...defaultJsonLimits,
  maxBodyBytes,
  // Room for 100,000 ids, 10,000 tags and all other fields.
  maxFormFields: 120_000,
  maxGrantBodyBytes: Math.min(64 * KiB, maxBodyBytes),
  maxGrantFields: 100,
  maxUnauthenticatedJsonBytes: Math.min(64 * KiB, maxBodyBytes),
  maxUnauthenticatedFormBytes: Math.min(32 * MiB, maxBodyBytes),
  maxUnauthenticatedBytes: 64 * MiB,
  maxUnauthenticatedBytesPerAddress: 32 * MiB,
  minUnauthenticatedSeconds: 5,
  maxUnauthenticatedBytesPerSecond: 32 * MiB,
  maxLongBodyBytes: 4 * MiB,
  maxUserBytes: 4 * maxBodyBytes,
  maxWaitsPerSession: 10,
  keepAliveSeconds: 25,
  maxDiscardedBytes: 64 * MiB,
  ...given,
})

/** A semaphore for long bodies, by bytes: the values that they decode to are far larger than the bodies. */
interface ByteSemaphore {
  /** Resolves when so many bytes are free for the owner; owners alternate. A body above the maximum runs alone. */
  readonly acquire: (owner: string, bytes: number) => Promise<void>
  /** Frees so many bytes. */
  readonly release: (bytes: number) => void
}

interface WaitingBody {
  readonly bytes: number
  readonly start: () => void
}

/** Creates a free semaphore of `maxBytes`. */
export const createByteSemaphore = (maxBytes: number): ByteSemaphore => {
  // The first owner of the map is served next.
  const owners = new Map<string, WaitingBody[]>()
  let heldBytes = 0

  const admit = (): void => {
    for (const [owner, queue] of owners) {
      const [first, ...others] = queue
      if (first === undefined || (heldBytes > 0 && heldBytes + first.bytes > maxBytes)) return
      owners.delete(owner)
      if (others.length > 0) owners.set(owner, others)
      heldBytes += first.bytes
      first.start()
    }
  }

  return {
    acquire: (owner, bytes) =>
      new Promise((start) => {
        owners.set(owner, [...(owners.get(owner) ?? []), { bytes, start }])
        admit()
      }),
    release: (bytes) => {
      heldBytes -= bytes
      admit()
    },
  }
}

/** A budget for the bytes of bodies under way, which their owners share. */
interface BodyBudget {
  /** Begins a body of an owner. `onEvicted` is called when the body is evicted in favor of another. */
  readonly open: (owner: string, onEvicted: (error: ApiError) => void) => HeldBody
  /** Adds bytes to a body. @throws ApiError when the budget has no room for them */
  readonly add: (body: HeldBody, bytes: number) => void
  /** Frees all bytes of a body; calling it again does nothing. */
  readonly release: (body: HeldBody) => void
  /** Counts the bytes that are held now. */
  readonly heldBytes: () => number
}

/** A body in a budget; only the budget changes it. */
export interface HeldBody {
  readonly owner: string
  readonly since: number
  readonly onEvicted: (error: ApiError) => void
  bytes: number
}

/** The options of `createBodyBudget`. */
export interface BodyBudgetOptions {
  /** Bytes of all owners. */
  readonly maxTotalBytes: number
  /** Bytes of one owner. */
  readonly maxBytesPerOwner: number
  /** Seconds in which a body cannot be evicted; never evicted without it. */
  readonly minSeconds?: number
  /** The error when the budget has no room. */
  readonly errorKind: ApiErrorKind
}

const budgetRetryAfterSeconds = 5

/**
 * Creates an empty budget. A full budget evicts the oldest body of the owner that holds the most bytes, if these are
 * more than the new body's owner would hold. Otherwise it evicts the oldest body whose `minSeconds` are over; otherwise
 * there is no room. Thus owners that hold many bytes and send slowly give way to others, and no owner can block another
 * one's share. `now` is a monotonic clock in milliseconds.
 */
export const createBodyBudget = (options: BodyBudgetOptions, now: () => number): BodyBudget => {
  const { maxTotalBytes, maxBytesPerOwner, minSeconds = Number.POSITIVE_INFINITY, errorKind } = options
  const owners = new Map<string, number>()
  // In the order in which they began.
  const bodies = new Set<HeldBody>()
  let heldBytes = 0

  const change = (body: HeldBody, bytes: number): void => {
    const ownerBytes = (owners.get(body.owner) ?? 0) + bytes
    if (ownerBytes === 0) owners.delete(body.owner)
    else owners.set(body.owner, ownerBytes)
    body.bytes += bytes
    heldBytes += bytes
  }
  const release = (body: HeldBody): void => {
    if (!bodies.delete(body)) return
    change(body, -body.bytes)
  }

  const findOldest = (owner: string | undefined, latest: number): HeldBody | undefined => {
    for (const body of bodies) {
      if (body.since > latest) return undefined
      if (owner === undefined || body.owner === owner) return body
    }
    return undefined
  }
  const findHeaviest = (): [owner: string | undefined, bytes: number] => {
    let heaviest: [owner: string | undefined, bytes: number] = [undefined, 0]
    for (const entry of owners) if (entry[1] > heaviest[1]) heaviest = entry
    return heaviest
  }
  const findVictim = (owner: string, wanted: number): HeldBody | undefined => {
    const latestStart = now() - minSeconds * 1000
    if (wanted > maxBytesPerOwner) return findOldest(owner, latestStart)
    const [heaviest, bytes] = findHeaviest()
    if (bytes > wanted) return findOldest(heaviest, Number.POSITIVE_INFINITY)
    return findOldest(undefined, latestStart)
  }
  const freeBytes = (body: HeldBody, bytes: number): void => {
    for (;;) {
      const wanted = (owners.get(body.owner) ?? 0) + bytes
      if (wanted <= maxBytesPerOwner && heldBytes + bytes <= maxTotalBytes) return
      const victim = findVictim(body.owner, wanted)
      const error = new ApiError(errorKind, { retryAfterSeconds: budgetRetryAfterSeconds })
      if (victim === undefined || victim === body) throw error
      release(victim)
      victim.onEvicted(error)
    }
  }

  return {
    heldBytes: () => heldBytes,
    open: (owner, onEvicted) => ({ owner, since: now(), onEvicted, bytes: 0 }),
    add: (body, bytes) => {
      freeBytes(body, bytes)
      bodies.add(body)
      change(body, bytes)
    },
    release,
  }
}

/** The budgets of all bodies under way of a server. */
export interface BodyBudgets {
  /** The bodies of unauthenticated clients, by address. */
  readonly unauthenticated: BodyBudget
  /** The bodies of users, by user id. */
  readonly users: BodyBudget
  /** Limits the rate of unauthenticated and rejected bodies. */
  readonly throttle: ByteThrottle
  /** The semaphore at which long bodies of users wait to be decoded. */
  readonly longBodies: ByteSemaphore
}

/** Creates empty budgets. `now` is a monotonic clock in milliseconds. */
export const createBodyBudgets = (limits: Limits, now: () => number): BodyBudgets => ({
  unauthenticated: createBodyBudget(
    {
      maxTotalBytes: limits.maxUnauthenticatedBytes,
      maxBytesPerOwner: limits.maxUnauthenticatedBytesPerAddress,
      minSeconds: limits.minUnauthenticatedSeconds,
      errorKind: 'tooManyUnknownBytes',
    },
    now,
  ),
  users: createBodyBudget(
    { maxTotalBytes: Number.POSITIVE_INFINITY, maxBytesPerOwner: limits.maxUserBytes, errorKind: 'tooManyUserBytes' },
    now,
  ),
  throttle: createByteThrottle(limits.maxUnauthenticatedBytesPerSecond),
  longBodies: createByteSemaphore(limits.maxLongBodyBytes),
})
