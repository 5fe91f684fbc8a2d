import { type RefusalKind, Refused } from '../refused.ts'

/** Room for the bytes of bodies that are under way, shared by those who send them. */
export interface BodyRoom {
  /** Begins a body of an owner; `drop` is told when it has to make room for another. */
  readonly open: (owner: string, drop: (refusal: Refused) => void) => HeldBody
  /** @throws Refused when there is no room for so many more bytes of the body */
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
  readonly drop: (refusal: Refused) => void
  bytes: number
}

/** How a room is shared. */
export interface RoomTerms {
  /** Bytes of all owners. */
  readonly total: number
  /** Bytes of one owner. */
  readonly each: number
  /** Seconds in which a body is safe from others; without, it always is. */
  readonly safeSeconds?: number
  /** What is refused with, when there is no room. */
  readonly refusal: RefusalKind
}

const retryAfterSeconds = 5

/**
 * An empty room. When it is full, a body of the owner that holds most has to go, if that is more than the newcomer's
 * owner would hold; else the oldest one that was there for longer than it is safe; else there is no room. So whoever
 * holds much and sends slowly pays for those who come, and an owner that has its share keeps no other from its own.
 */
export const createBodyRoom = (terms: RoomTerms, now: () => number): BodyRoom => {
  const { total, each, safeSeconds = Number.POSITIVE_INFINITY, refusal } = terms
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
    const unsafe = now() - safeSeconds * 1000
    if (wanted > each) return findOldest(owner, unsafe)
    const [heaviest, bytes] = findHeaviest()
    if (bytes > wanted) return findOldest(heaviest, Number.POSITIVE_INFINITY)
    return findOldest(undefined, unsafe)
  }
  const makeRoom = (body: HeldBody, bytes: number): void => {
    for (;;) {
      const wanted = (owners.get(body.owner) ?? 0) + bytes
      if (wanted <= each && heldBytes + bytes <= total) return
      const victim = findVictim(body.owner, wanted)
      const refused = new Refused(refusal, { retryAfterSeconds })
      if (victim === undefined || victim === body) throw refused
      release(victim)
      victim.drop(refused)
    }
  }

  return {
    heldBytes: () => heldBytes,
    open: (owner, drop) => ({ owner, since: now(), drop, bytes: 0 }),
    add: (body, bytes) => {
      makeRoom(body, bytes)
      bodies.add(body)
      change(body, bytes)
    },
    release,
  }
}
