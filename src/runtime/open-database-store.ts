import type { Settings } from '../config/settings-table.ts'
import type { Store } from '../store/store.ts'
import type { StoreLog } from '../store/store-log.ts'
import { thingForm } from '../things/thing-form.ts'

/** How a database is reached. */
type DatabaseSettings = Pick<Settings, 'store'> & Partial<Pick<Settings, 'storeConnections' | 'listenUrl'>>

/** Who is told what happens in it. */
interface DatabaseObservers {
  readonly log: StoreLog
  readonly onCommit?: (writes: number, milliseconds: number) => void
}

/** Opens the store in the database of the settings; an empty one gets its tables if it may. @throws StoreFailed */
export const openDatabaseStore = async (
  { store: url, storeConnections: connections, listenUrl = undefined }: DatabaseSettings,
  { mayMakeTables, ...observers }: DatabaseObservers & { readonly mayMakeTables: boolean },
): Promise<Store> => {
  // Loaded by those who have a database only.
  const { openPostgres } = await import('../store/postgres/open-postgres.ts')
  return openPostgres({
    ...{ url, form: thingForm, mayMakeTables, ...observers },
    ...(connections === undefined ? {} : { connections }),
    ...(listenUrl === undefined ? {} : { listenUrl }),
  })
}
