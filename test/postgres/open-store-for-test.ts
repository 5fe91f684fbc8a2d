import type { Environment } from '../../src/environment.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing.ts'
import { openTestDatabase } from './open-database.ts'

/** Opens a store in a new database, which is removed when the store is closed. */
export const openStoreForTest = async ({ now }: Environment): Promise<Store> => {
  const { url, drop } = await openTestDatabase()
  const store = await openPostgres({ url, form: thingForm, now, monotonicMs: now, connections: 4 })
  const close = async (): Promise<void> => {
    await store.close()
    await drop()
  }
  return { ...store, close }
}
