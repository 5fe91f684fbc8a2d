import { ApiError, type ApiErrorKind } from '../api-error.ts'
import { defaultJsonLimits, type JsonLimits } from '../wire/json.ts'
import { type ByteThrottle, createByteThrottle } from '../wire/request-body.ts'

/**
 * What requests may be and may hold, so that a stranger costs little and nobody stops the others (contract, the access
 * token; order of judging). The one table of these figures; `docs/operations.md` shows it to those who run a server.
 */
export interface Limits extends JsonLimits {
  /** Bytes of a body. Beyond: 413. */
  readonly maxBodyBytes: number
  /** Fields of a form. Beyond: 413. */
  readonly maxFormFields: number
  /** Bytes of a body of /token and /revoke, whose sender is never known before it is read. Beyond: 413. */
  readonly maxGrantBodyBytes: number
  /** Fields of such a body. Beyond: 413. */
  readonly maxGrantFields: number
  /** Bytes of a JSON body with the access token in it. Beyond: 413. */
  readonly maxUnauthenticatedJsonBytes: number
  /** Bytes of a form up to the end of the access token in it. Beyond: 413. */
  readonly maxUnauthenticatedFormBytes: number
  /** Bytes of all bodies under way whose sender is not known yet, in the process. Beyond: 429. */
  readonly maxUnauthenticatedBytes: number
  /** The same from one address. Beyond: 429. */
  readonly maxUnauthenticatedBytesPerAddress: number
  /** Seconds in which such a body is safe from those who find no room, unless its address holds more than theirs. */
  readonly minUnauthenticatedSeconds: number
  /** Bytes a second of all bodies whose sender is not known yet, or that are refused; more of them rest. */
  readonly maxUnauthenticatedBytesPerSecond: number
  /** Bytes of long bodies that are decoded and worked on at a time, a larger one alone; more of them wait. */
  readonly maxLongBodyBytes: number
  /** Bytes of one user's bodies under way, each until its request is answered. Beyond: 429. */
  readonly maxUserBytes: number
  /** Requests of one session that wait for changes, of both kinds together. Beyond: 429. */
  readonly maxWaitsPerSession: number
  /** Seconds after which a silent stream of events gets a comment, and within which an ended token is noticed there. */
  readonly keepAliveSeconds: number
  /** Bytes of a refused body that are received and dropped before its connection is closed. */
  readonly maxDiscardedBytes: number
}

const KiB = 1024
const MiB = 1024 * KiB

/** The limits of a server; what depends on the largest body is made of it unless it is given. */
export const createLimits = ({ maxBodyBytes = 32 * MiB, ...given }: Partial<Limits> = {}): Limits => ({
  ...defaultJsonLimits,
  maxBodyBytes,
  // 100,000 ids, 10,000 tags, and what else there is.
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

/** Lets long bodies in to be decoded and worked on, so many bytes of them at a time: what they become is far larger. */
interface ByteSemaphore {
  /** Resolves when there is room for so many bytes of the owner; owners take turns. A body above all room goes alone. */
  readonly acquire: (owner: string, bytes: number) => Promise<void>
  /** Gives the room back. */
  readonly release: (bytes: number) => void
}

interface Waiting {
  readonly bytes: number
  readonly start: () => void
}

/** A gate behind which nothing is. */
export const createByteSemaphore = (roomBytes: number): ByteSemaphore => {
  // The owner whose turn is next stands first.
  const owners = new Map<string, Waiting[]>()
  let inside = 0

  const admit = (): void => {
    for (const [owner, line] of owners) {
      const [first, ...others] = line
      if (first === undefined || (inside > 0 && inside + first.bytes > roomBytes)) return
      owners.delete(owner)
      if (others.length > 0) owners.set(owner, others)
      inside += first.bytes
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
      inside -= bytes
      admit()
    },
  }
}

/** Room for the bytes of bodies that are under way, shared by those who send them. */
interface BodyBudget {
  /** Begins a body of an owner; `drop` is told when it has to make room for another. */
  readonly open: (owner: string, drop: (errorKind: ApiError) => void) => HeldBody
  /** @throws ApiError when there is no room for so many more bytes of the body */
  readonly add: (body: HeldBody, bytes: number) => void
  /** Gives all of its bytes back; as often as one likes. */
  readonly release: (body: HeldBody) => void
  /** Bytes that are held now. */
  readonly heldBytes: () => number
}

/** One body in a room; only the room changes it. */
export interface HeldBody {
  readonly owner: string
  readonly since: number
  readonly onEvicted: (errorKind: ApiError) => void
  bytes: number
}

/** How a room is shared. */
export interface BodyBudgetOptions {
  /** Bytes of all owners. */
  readonly maxTotalBytes: number
  /** Bytes of one owner. */
  readonly maxBytesPerOwner: number
  /** Seconds in which a body is safe from others; without, it always is. */
  readonly minSeconds?: number
  /** What is refused with, when there is no room. */
  readonly errorKind: ApiErrorKind
}

const budgetRetryAfterSeconds = 5

/**
 * An empty room. When it is full, a body of the owner that holds most has to go, if that is more than the newcomer's
 * owner would hold; else the oldest one that was there for longer than it is safe; else there is no room. So whoever
 * holds much and sends slowly pays for those who come, and an owner that has its share keeps no other from its own.
 */
export const createBodyBudget = (terms: BodyBudgetOptions, now: () => number): BodyBudget => {
  const { maxTotalBytes, maxBytesPerOwner, minSeconds = Number.POSITIVE_INFINITY, errorKind } = terms
  const owners = new Map<string, number>()
  // In the order of their beginning.
  const bodies = new Set<HeldBody>()
  let heldBytes = 0

  const change = (body: HeldBody, bytes: number): void => {
    const ofOwner = (owners.get(body.owner) ?? 0) + bytes
    if (ofOwner === 0) owners.delete(body.owner)
    else owners.set(body.owner, ofOwner)
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
    const unsafe = now() - minSeconds * 1000
    if (wanted > maxBytesPerOwner) return findOldest(owner, unsafe)
    const [heaviest, bytes] = findHeaviest()
    if (bytes > wanted) return findOldest(heaviest, Number.POSITIVE_INFINITY)
    return findOldest(undefined, unsafe)
  }
  const makeRoom = (body: HeldBody, bytes: number): void => {
    for (;;) {
      const wanted = (owners.get(body.owner) ?? 0) + bytes
      if (wanted <= maxBytesPerOwner && heldBytes + bytes <= maxTotalBytes) return
      const victim = findVictim(body.owner, wanted)
      const refused = new ApiError(errorKind, { retryAfterSeconds: budgetRetryAfterSeconds })
      if (victim === undefined || victim === body) throw refused
      release(victim)
      victim.onEvicted(refused)
    }
  }

  return {
    heldBytes: () => heldBytes,
    open: (owner, drop) => ({ owner, since: now(), onEvicted: drop, bytes: 0 }),
    add: (body, bytes) => {
      makeRoom(body, bytes)
      bodies.add(body)
      change(body, bytes)
    },
    release,
  }
}

/** Where the bytes of all bodies of a server are counted while they are under way. */
export interface BodyBudgets {
  /** Of senders that are not known yet, by address. */
  readonly unauthenticated: BodyBudget
  /** Of users, by user id. */
  readonly users: BodyBudget
  /** How fast bodies may come that may be for nothing. */
  readonly throttle: ByteThrottle
  /** Where long bodies of users wait to be decoded. */
  readonly longBodies: ByteSemaphore
}

/** Empty rooms; `now` is the time in milliseconds. */
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
