import { createStore, memoryBackend } from './create-store.ts'
import type { Store, ThingForm } from './store.ts'

/** Options of a memory store. */
export interface MemoryStoreOptions {
  readonly form: ThingForm
  /** Milliseconds since whenever, never set back; `performance.now` when left out. */
  readonly elapsed?: () => number
}

/** Opens an empty store that keeps every promise but durability: it ends with the process. */
export const openMemoryStore = ({ form, elapsed = () => performance.now() }: MemoryStoreOptions): Promise<Store> =>
  createStore({ form, elapsed, backend: memoryBackend })
