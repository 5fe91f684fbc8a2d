/** Where a version is: the position of a thing, the negative position of a tombstone, 0 for none. */
export type Reference = number

/** Every id that an account has ever had, each with a small number that stays, its slot, and its newest version. */
export interface IdIndex {
  readonly find: (id: string) => number | undefined
  /** The slot of an id, a new one if it has none. */
  readonly take: (id: string) => number
  readonly idOf: (slot: number) => string
  readonly newestOf: (slot: number) => Reference
  readonly setNewest: (slot: number, newest: Reference) => void
  /** Number of ids. */
  readonly size: () => number
}

/** An index without ids. */
export const createIdIndex = (): IdIndex => {
  const slots = new Map<string, number>()
  const ids: string[] = []
  const newest: Reference[] = []

  const take = (id: string): number => {
    const found = slots.get(id)
    if (found !== undefined) return found
    slots.set(id, ids.length)
    newest.push(0)
    return ids.push(id) - 1
  }

  return {
    find: (id) => slots.get(id),
    take,
    idOf: (slot) => ids[slot] as string,
    newestOf: (slot) => newest[slot] as Reference,
    setNewest: (slot, reference) => {
      newest[slot] = reference
    },
    size: () => ids.length,
  }
}
