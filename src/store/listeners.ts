/** Listeners by topic. No listener is called in the middle of a change. */
interface Listeners<Event> {
  /** Adds a listener and returns a function that removes it. */
  readonly listen: (topic: string, onEvent: (event: Event) => void) => () => void
  readonly notify: (topic: string, event: Event) => void
  /** Removes all listeners of the topic. */
  readonly forget: (topic: string) => void
  readonly forgetAll: () => void
}

/** Creates an empty set of listeners. */
export const createListeners = <Event>(): Listeners<Event> => {
  const listeners = new Map<string, Set<{ readonly onEvent: (event: Event) => void }>>()

  const listen: Listeners<Event>['listen'] = (topic, onEvent) => {
    const listener = { onEvent }
    listeners.set(topic, (listeners.get(topic) ?? new Set()).add(listener))
    return () => {
      const others = listeners.get(topic)
      others?.delete(listener)
      if (others?.size === 0) listeners.delete(topic)
    }
  }

  const notify = (topic: string, event: Event): void => {
    // Each listener runs in its own microtask: an error that it throws stops neither the others nor the write.
    for (const listener of listeners.get(topic) ?? [])
      queueMicrotask(() => {
        if (listeners.get(topic)?.has(listener) === true) listener.onEvent(event)
      })
  }

  return {
    listen,
    notify,
    forget: (topic) => void listeners.delete(topic),
    forgetAll: () => listeners.clear(),
  }
}
