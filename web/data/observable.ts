/** A value that changes, and tells those who watch it. */
export interface Observable<T> {
  readonly read: () => T
  /** Calls the listener after each change, until the function that it gives is called. */
  readonly watch: (listener: () => void) => () => void
}

/** One that its owner may set; the same value again tells nobody. */
export interface Settable<T> extends Observable<T> {
  readonly set: (next: T) => void
}

/** A value to be watched. */
export const createObservable = <T>(first: T): Settable<T> => {
  let value = first
  const listeners = new Map<object, () => void>()
  return {
    read: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners.values()]) listener()
    },
    watch: (listener) => {
      const key = {}
      listeners.set(key, listener)
      return () => void listeners.delete(key)
    },
  }
}
