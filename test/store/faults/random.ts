/** A stream of numbers that a seed decides. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  readonly below: (end: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
}

/** The same numbers for the same seed, on every machine (mulberry32). */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }
  const pick = <Item>(items: readonly Item[]): Item => {
    if (items.length === 0) throw new Error('there is nothing to pick from')
    return items[below(items.length)] as Item
  }
  return { below, pick }
}
