import { inject } from 'vitest'
import { openMemoryStore } from '../../src/store/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing.ts'
import type { DoubledWrites } from './write-twice.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where tests keep everything: memory unless a run says otherwise (`npm run test:postgres`). */
    readonly testStore: 'memory' | 'postgres'
  }
}

/**
 * Opens an empty store for a test: in a database of its own on the PostgreSQL of the run; or in memory, where each write
 * is done twice, as the promise says that it may be.
 */
export const openTestStore = async ({ environment, writeTwice }: DoubledWrites): Promise<Store> => {
  if (inject('testStore') !== 'postgres')
    return writeTwice(await openMemoryStore({ form: thingForm, monotonicMs: environment.now }))
  const { openStoreForTest } = await import('../postgres/open-store-for-test.ts')
  return openStoreForTest(environment)
}
