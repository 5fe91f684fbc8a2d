import { createStore, memoryBackend } from './create-store.ts'
import type { Store, ThingForm } from './store.ts'

/** Options of a memory store. */
export interface MemoryStoreOptions {
  readonly form: ThingForm
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly monotonicMs?: () => number
}

/** Opens an empty store in memory. It keeps every promise but durability: its data ends with the process. */
export const openMemoryStore = ({ form, monotonicMs = () => performance.now() }: MemoryStoreOptions): Promise<Store> =>
  createStore({ form, monotonicMs, backend: memoryBackend })
