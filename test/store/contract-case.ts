import type { Store } from '../../src/store/store.ts'

/** A fresh store under test. */
export interface OpenedStore {
  readonly store: Store
  /** Ends the store and opens what it kept; absent for a store that keeps nothing beyond the process. */
  readonly reopen?: () => Promise<Store>
  /** Moves the clock that the store was given. */
  readonly passTime: (milliseconds: number) => void
  /** Closes and removes everything. */
  readonly close: () => Promise<void>
}

/** Opens a fresh store whose things are shown by `contractForm`. */
export type OpenStore = () => Promise<OpenedStore>

/** One sentence of the store promise. It throws when a store does not keep it. */
export interface ContractCase {
  readonly name: string
  readonly run: (opened: OpenedStore) => Promise<void>
  /** True when it applies only to a store that can be reopened. */
  readonly needsReopen?: true
}

/** The store as it is, and once more after a restart if it can be reopened. */
export async function* acrossRestart({ store, reopen }: OpenedStore): AsyncGenerator<Store, void, undefined> {
  yield store
  if (reopen !== undefined) yield await reopen()
}
