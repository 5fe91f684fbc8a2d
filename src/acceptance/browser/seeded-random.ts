/** Chance that is the same with each run of the same seed. */
export interface Random {
  /** A whole number from 0 up to but not including the limit. */
  readonly below: (limit: number) => number
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T
}

/** Chance from a seed (mulberry32). */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit) | 0
  }
  return { below, pick: (choices) => choices[below(choices.length)] ?? choices[0] }
}
