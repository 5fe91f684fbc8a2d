/** Somebody whose turn comes once in each round of the wheel. */
export interface Rider {
  readonly takeTurn: () => void
  /** The wheel stops for good. */
  readonly stop: () => void
}

/** One ticker for all who wait, instead of a timer for each. */
export interface Wheel {
  /** Gives how to get off. */
  readonly join: (rider: Rider) => () => void
  /** How many are on it. */
  readonly count: () => number
  /** Stops everybody who is on it, and whoever joins later. */
  readonly stop: () => void
}

/** The parts of a round: who joins at the same moment has turns at different ones. */
const slotCount = 25

/** A wheel that turns once in so many seconds. It stands still while nobody is on it. */
export const createWheel = (roundSeconds: number): Wheel => {
  const slots = Array.from({ length: slotCount }, () => new Set<Rider>())
  let [count, current, nextSeat] = [0, 0, 0]
  let ticker: NodeJS.Timeout | undefined
  let isStopped = false

  const tick = (): void => {
    current = (current + 1) % slotCount
    for (const rider of slots[current] ?? []) rider.takeTurn()
  }
  const leave = (slot: Set<Rider>, rider: Rider): void => {
    if (!slot.delete(rider)) return
    count -= 1
    if (count > 0) return
    clearInterval(ticker)
    ticker = undefined
  }

  return {
    join: (rider) => {
      if (isStopped) {
        rider.stop()
        return () => undefined
      }
      nextSeat = (nextSeat + 1) % slotCount
      const slot = slots[nextSeat] as Set<Rider>
      slot.add(rider)
      count += 1
      ticker ??= setInterval(tick, (roundSeconds * 1000) / slotCount).unref()
      return () => leave(slot, rider)
    },
    count: () => count,
    stop: () => {
      isStopped = true
      for (const slot of slots) for (const rider of slot) rider.stop()
    },
  }
}
