/** Who wants to be told of something, by what it is about. Nobody is told in the middle of a change. */
export interface Watchers<Told> {
  /** Gives the function that ends it. */
  readonly watch: (about: string, onTold: (told: Told) => void) => () => void
  readonly tell: (about: string, told: Told) => void
  /** Nobody watches this any more. */
  readonly forget: (about: string) => void
  readonly forgetAll: () => void
}

/** Nobody watches anything. */
export const createWatchers = <Told>(): Watchers<Told> => {
  const watchers = new Map<string, Set<{ readonly onTold: (told: Told) => void }>>()

  const watch: Watchers<Told>['watch'] = (about, onTold) => {
    const watcher = { onTold }
    watchers.set(about, (watchers.get(about) ?? new Set()).add(watcher))
    return () => {
      const others = watchers.get(about)
      others?.delete(watcher)
      if (others?.size === 0) watchers.delete(about)
    }
  }

  const tell = (about: string, told: Told): void => {
    // In a turn of its own, so that what one of them throws neither stops the others nor the write.
    for (const watcher of watchers.get(about) ?? [])
      queueMicrotask(() => {
        if (watchers.get(about)?.has(watcher) === true) watcher.onTold(told)
      })
  }

  return { watch, tell, forget: (about) => void watchers.delete(about), forgetAll: () => watchers.clear() }
}
