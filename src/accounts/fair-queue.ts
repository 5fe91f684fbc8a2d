/** Work that waits for its turn, one piece at a time. */
export interface FairQueue {
  /**
   * Runs the work when it is the owner's turn: owners take turns, so that one with much work delays another by one piece.
   * When all places to wait are taken, the newest work of the owner with the most is refused, by what `refuse` makes.
   * @throws what the work throws
   */
  readonly run: <T>(owner: string, work: () => Promise<T>) => Promise<T>
}

interface Waiting {
  readonly start: () => void
  readonly refuse: () => void
}

/** A queue in which nobody waits. */
export const createFairQueue = (places: number, refuse: () => Error): FairQueue => {
  // The owner whose turn is next stands first.
  const owners = new Map<string, Waiting[]>()
  let isRunning = false
  let waiting = 0

  const startNext = (): void => {
    const [next] = owners
    if (next === undefined) {
      isRunning = false
      return
    }
    const [owner, line] = next
    owners.delete(owner)
    const first = line.shift()
    if (line.length > 0) owners.set(owner, line)
    waiting--
    first?.start()
  }

  const makePlace = (newcomer: string): boolean => {
    if (waiting < places) return true
    const longest = [...owners].reduce((one, other) => (other[1].length > one[1].length ? other : one))
    if (longest[1].length <= (owners.get(newcomer)?.length ?? 0) + 1) return false
    longest[1].pop()?.refuse()
    waiting--
    return true
  }

  const takeTurn = (owner: string): Promise<void> => {
    if (!isRunning) {
      isRunning = true
      return Promise.resolve()
    }
    if (!makePlace(owner)) return Promise.reject(refuse())
    return new Promise((resolve, reject) => {
      waiting++
      const line = owners.get(owner) ?? []
      line.push({ start: resolve, refuse: () => reject(refuse()) })
      owners.set(owner, line)
    })
  }

  return {
    run: async (owner, work) => {
      await takeTurn(owner)
      try {
        return await work()
      } finally {
        startNext()
      }
    },
  }
}
