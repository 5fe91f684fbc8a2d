/** Who wants to be told of something, by what it is about. Nobody is told in the middle of a change. */
interface Listeners<Told> {
  /** Gives the function that ends it. */
  readonly listen: (about: string, onTold: (told: Told) => void) => () => void
  readonly notify: (about: string, told: Told) => void
  /** Nobody watches this any more. */
  readonly forget: (about: string) => void
  readonly forgetAll: () => void
}

/** Nobody watches anything. */
export const createListeners = <Told>(): Listeners<Told> => {
  const watchers = new Map<string, Set<{ readonly onTold: (told: Told) => void }>>()

  const watch: Listeners<Told>['listen'] = (about, onTold) => {
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

  return {
    listen: watch,
    notify: tell,
    forget: (about) => void watchers.delete(about),
    forgetAll: () => watchers.clear(),
  }
}
