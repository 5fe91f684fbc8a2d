import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { contractForm } from '../store/fixtures.ts'

/** Opens stores that share nothing but the database, as processes do. */
export const openStores = (count: number, url: string): Promise<readonly Store[]> =>
  Promise.all(Array.from({ length: count }, () => openPostgres({ url, form: contractForm, connections: 4 })))
