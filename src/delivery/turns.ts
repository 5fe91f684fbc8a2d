/** A line in which users take turns; what one of them adds stays in order. */
export interface Turns<T> {
  readonly add: (item: T) => void
  /** Takes out who is next. */
  readonly next: () => T | undefined
  readonly isEmpty: () => boolean
}

/** Nobody waits. */
export const createTurns = <T extends { readonly userId: string }>(): Turns<T> => {
  const byUser = new Map<string, T[]>()
  return {
    add: (item) => {
      const items = byUser.get(item.userId)
      if (items === undefined) byUser.set(item.userId, [item])
      else items.push(item)
    },
    next: () => {
      for (const [userId, items] of byUser) {
        const item = items.shift()
        byUser.delete(userId)
        // To the end of the line.
        if (items.length > 0) byUser.set(userId, items)
        return item
      }
      return undefined
    },
    isEmpty: () => byUser.size === 0,
  }
}
