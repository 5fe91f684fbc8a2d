/** Only so many at once for each key. */
export interface Seats {
  /** Gives what leaves the seat again, or undefined when all of this key are taken. */
  readonly take: (key: string) => (() => void) | undefined
}

/** Makes seats that forget a key when nobody sits there. */
export const createSeats = (mostPerKey: number): Seats => {
  const taken = new Map<string, number>()
  const leave = (key: string) => {
    const left = (taken.get(key) ?? 0) - 1
    if (left > 0) taken.set(key, left)
    else taken.delete(key)
  }
  return {
    take: (key) => {
      const sitting = taken.get(key) ?? 0
      if (sitting >= mostPerKey) return undefined
      taken.set(key, sitting + 1)
      return () => leave(key)
    },
  }
}
