/** Random choices of the kinds that plans need. */
export interface Choices {
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number
  /** True with the probability given (0 to 1). */
  readonly chance: (probability: number) => boolean
  /** One element; throws a RangeError when there is none. */
  readonly pick: <T>(list: readonly T[]) => T
  /** One of the names, as often as its weight says against the sum of all. */
  readonly weigh: <K extends string>(weights: Readonly<Partial<Record<K, number>>>) => K
}

/** Makes choices from numbers between 0 (included) and 1 (excluded); the same numbers give the same choices. */
export const createChoices = (random: () => number): Choices => {
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[Math.floor(random() * list.length)]
    if (chosen === undefined) throw new RangeError('nothing to pick from')
    return chosen
  }
  return {
    between: (least, most) => least + Math.floor(random() * (most - least + 1)),
    chance: (probability) => random() < probability,
    pick,
    weigh: <K extends string>(weights: Readonly<Partial<Record<K, number>>>): K => {
      const entries = Object.entries(weights) as [K, number][]
      let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      return pick(entries)[0]
    },
  }
}
