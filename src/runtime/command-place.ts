import type { QuotaForAll } from '../accounts/quotas.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'

/** One row of a list or the one result of a command; every number of a list is a date, Unix time in seconds. */
export type AccountRow = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** What commands are run on. */
export interface CommandPlace {
  readonly store: Store
  readonly world: World
  /** The base address of the API, for links to pages beside it; ends in `/v1/`. */
  readonly baseUrl: string
  /** How much everybody may have. */
  readonly quotas: QuotaForAll
}
