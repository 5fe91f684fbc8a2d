import { openMemoryStore } from '../../src/store/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing.ts'

/** A store of which a test can see how many listen to its accounts. */
export interface WatchedStore {
  readonly store: Store
  /** Resolves when so many listen at the same time. */
  readonly untilWatched: (times: number) => Promise<void>
}

/** Opens a store in memory; it is its server's to close. */
export const openWatchedStore = async (monotonicMs = () => performance.now()): Promise<WatchedStore> => {
  const store = await openMemoryStore({ form: thingForm, monotonicMs })
  const waiting = new Set<() => void>()
  let count = 0
  const note = (step: 1 | -1): void => {
    count += step
    for (const look of waiting) look()
  }
  return {
    store: {
      ...store,
      watch: (userId, onChange) => {
        const unwatch = store.watch(userId, onChange)
        note(1)
        return () => {
          unwatch()
          note(-1)
        }
      },
    },
    untilWatched: (times) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (count !== times) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}
