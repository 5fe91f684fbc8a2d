import { createStore } from './create-store.ts'
import { forgetfulKeeper } from './keeper.ts'
import type { Store, ThingForm } from './store.ts'

/** Options of a memory store. */
export interface MemoryStoreOptions {
  readonly form: ThingForm
  /** Unix time in milliseconds; `Date.now` when left out. */
  readonly now?: () => number
}

/** Opens an empty store that keeps every promise but durability: it ends with the process. */
export const openMemoryStore = ({ form, now = Date.now }: MemoryStoreOptions): Promise<Store> =>
  createStore({ form, now, keeper: forgetfulKeeper })
