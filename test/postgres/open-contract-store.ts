import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Store } from '../../src/store/store.ts'
import type { OpenedStore } from '../store/contract-case.ts'
import { contractForm } from '../store/fixtures.ts'
import { emptyDatabase, openTestDatabase, type TestDatabase } from './open-database.ts'

/** Opens stores for the contract, one after the other, in one database that is emptied before each. */
export const createOpener = () => {
  let database: TestDatabase | undefined

  const open = async (): Promise<OpenedStore> => {
    database ??= await openTestDatabase()
    const { url } = database
    await emptyDatabase(url)
    let milliseconds = 1_700_000_000_000
    const monotonicMs = (): number => milliseconds
    const openStore = (): Promise<Store> =>
      openPostgres({ url, form: contractForm, monotonicMs, now: monotonicMs, connections: 4 })
    let store = await openStore()
    return {
      store,
      passTime: (passed) => {
        milliseconds += passed
      },
      reopen: async () => {
        await store.close()
        store = await openStore()
        return store
      },
      close: () => store.close(),
    }
  }
  return { open, close: async () => database?.drop() }
}
