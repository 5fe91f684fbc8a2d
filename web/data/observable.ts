/** A value that changes and notifies its listeners. */
export interface Observable<T> {
  readonly read: () => T
  /** Calls the listener after each change. Returns a function that removes the listener. */
  readonly watch: (listener: () => void) => () => void
}

/** An observable that its owner may set. Setting the same value (`Object.is`) notifies no listener. */
export interface Settable<T> extends Observable<T> {
  readonly set: (next: T) => void
}

/** Creates an observable with this first value. */
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
