import { type RefusalKind, Refused } from '../refused.ts'

/** Room for the bytes of bodies that are under way, shared by those who send them. */
export interface BodyRoom {
  /** Begins a body of an owner; `drop` is told when it has to make room for another. */
  readonly open: (owner: string, drop: (refusal: Refused) => void) => HeldBody
  /** Bytes that are held now. */
  readonly heldBytes: () => number
}

/** The bytes of one body in a room. */
export interface HeldBody {
  readonly bytes: () => number
  /** @throws Refused when there is no room for so many more */
  readonly add: (bytes: number) => void
  /** Gives all of them back; as often as one likes. */
  readonly release: () => void
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

interface Holding {
  readonly owner: string
  readonly since: number
  readonly drop: (refusal: Refused) => void
  bytes: number
}

/**
 * An empty room. When it is full, a body of the owner that holds most has to go, if that is more than the newcomer's
 * owner would hold; else the oldest one that was there for longer than it is safe; else there is no room. So whoever
 * holds much and sends slowly pays for those who come, and an owner that has its share keeps no other from its own.
 */
export const createBodyRoom = (terms: RoomTerms, now: () => number): BodyRoom => {
  const { total, each, safeSeconds = Number.POSITIVE_INFINITY, refusal } = terms
  const owners = new Map<string, number>()
  // In the order of their beginning.
  const holdings = new Set<Holding>()
  let heldBytes = 0

  const change = (holding: Holding, bytes: number): void => {
    const ofOwner = (owners.get(holding.owner) ?? 0) + bytes
    if (ofOwner === 0) owners.delete(holding.owner)
    else owners.set(holding.owner, ofOwner)
    holding.bytes += bytes
    heldBytes += bytes
  }
  const release = (holding: Holding): void => {
    if (!holdings.delete(holding)) return
    change(holding, -holding.bytes)
  }

  const findOldest = (owner: string | undefined, latest: number): Holding | undefined => {
    for (const holding of holdings) {
      if (holding.since > latest) return undefined
      if (owner === undefined || holding.owner === owner) return holding
    }
    return undefined
  }
  const findHeaviest = (): [owner: string | undefined, bytes: number] => {
    let heaviest: [owner: string | undefined, bytes: number] = [undefined, 0]
    for (const entry of owners) if (entry[1] > heaviest[1]) heaviest = entry
    return heaviest
  }
  const findVictim = (owner: string, wanted: number): Holding | undefined => {
    const unsafe = now() - safeSeconds * 1000
    if (wanted > each) return findOldest(owner, unsafe)
    const [heaviest, bytes] = findHeaviest()
    if (bytes > wanted) return findOldest(heaviest, Number.POSITIVE_INFINITY)
    return findOldest(undefined, unsafe)
  }
  const makeRoom = (holding: Holding, bytes: number): void => {
    for (;;) {
      const wanted = (owners.get(holding.owner) ?? 0) + bytes
      if (wanted <= each && heldBytes + bytes <= total) return
      const victim = findVictim(holding.owner, wanted)
      const refused = new Refused(refusal, { retryAfterSeconds })
      if (victim === undefined || victim === holding) throw refused
      release(victim)
      victim.drop(refused)
    }
  }

  return {
    heldBytes: () => heldBytes,
    open: (owner, drop) => {
      const holding: Holding = { owner, since: now(), drop, bytes: 0 }
      return {
        bytes: () => holding.bytes,
        add: (bytes) => {
          makeRoom(holding, bytes)
          holdings.add(holding)
          change(holding, bytes)
        },
        release: () => release(holding),
      }
    },
  }
}
