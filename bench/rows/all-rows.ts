import { compareKinto } from '../comparison/kinto.ts'
import { comparePocketbase } from '../comparison/pocketbase.ts'
import { compareJsonServer, comparePouchdbServer, compareRadicale } from '../comparison/servers.ts'
import type { Row } from '../row.ts'
import {
  gzipListing,
  incrementalSyncFlat,
  listing1m,
  listing1mChanged,
  listing100k,
  listing100kChanged,
  loopDelay,
  smallSync,
} from './listings.ts'
import { liveIdle, liveLatency } from './live.ts'
import { downloadMemory, importBookmarks, manyAccounts, memoryAtRest, openAfterCrash } from './memory-and-start.ts'
import { misbehavingClients } from './misbehaving-clients.ts'
import { postgresListing, postgresProcesses, postgresSmallSync, postgresUploads } from './postgres.ts'
import { postgresMany } from './postgres-many-accounts.ts'
import { commands, idleMemory, start } from './start-and-idle.ts'
import { commitBesideLogins, commitWithWebhook, durableUploads, upload10k } from './uploads.ts'
import {
  webFirstListing,
  webFirstLoad,
  webMemory,
  webScroll,
  webSearchKey,
  webSlowPhone,
  webStartOffline,
} from './web-app.ts'

/** All rows, in the order of the results table. */
export const allRows: readonly Row[] = [
  listing100k,
  listing100kChanged,
  listing1m,
  listing1mChanged,
  downloadMemory,
  loopDelay,
  gzipListing,
  incrementalSyncFlat,
  smallSync,
  durableUploads,
  upload10k,
  importBookmarks,
  openAfterCrash,
  manyAccounts,
  start,
  commands,
  idleMemory,
  memoryAtRest,
  commitBesideLogins,
  commitWithWebhook,
  misbehavingClients,
  liveIdle,
  liveLatency,
  webFirstListing,
  webStartOffline,
  webSearchKey,
  webScroll,
  webMemory,
  webFirstLoad,
  webSlowPhone,
  postgresListing,
  postgresSmallSync,
  postgresUploads,
  postgresProcesses,
  postgresMany,
  compareJsonServer,
  comparePouchdbServer,
  compareRadicale,
  comparePocketbase,
  compareKinto,
]
