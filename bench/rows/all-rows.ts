import { postgresListing } from '../postgres/listing.ts'
import { postgresMany } from '../postgres/many.ts'
import { peerKinto } from '../postgres/peer-kinto.ts'
import { postgresProcesses } from '../postgres/processes.ts'
import { postgresSmallSync } from '../postgres/small-sync.ts'
import { postgresUploads } from '../postgres/uploads.ts'
import type { Row } from '../row.ts'
import { commitBesideLogins } from './commit-beside-logins.ts'
import { commitWithWebhook } from './commit-with-webhook.ts'
import { deltaFlat } from './delta-flat.ts'
import { downloadMemory } from './download-memory.ts'
import { durableUploads } from './durable-uploads.ts'
import { gzipListing } from './gzip-listing.ts'
import { importBookmarks } from './import-bookmarks.ts'
import { listing1m, listing1mChanged, listing100k, listing100kChanged } from './listing.ts'
import { liveIdle } from './live-idle.ts'
import { liveLatency } from './live-latency.ts'
import { loopDelay } from './loop-delay.ts'
import { manyAccounts } from './many-accounts.ts'
import { memoryAtRest } from './memory-at-rest.ts'
import { openAfterCrash } from './open-after-crash.ts'
import { peerJsonServer, peerPouchdbServer, peerRadicale } from './peers.ts'
import { smallSync } from './small-sync.ts'
import { strangers } from './strangers.ts'
import { upload10k } from './upload-10k.ts'
import { webFirstListing } from './web-first-listing.ts'
import { webFirstLoad } from './web-first-load.ts'
import { webMemory } from './web-memory.ts'
import { webScroll } from './web-scroll.ts'
import { webSearchKey } from './web-search-key.ts'
import { webStartOffline } from './web-start-offline.ts'

/** Every row, in the order of the table. */
export const allRows: readonly Row[] = [
  listing100k,
  listing100kChanged,
  listing1m,
  listing1mChanged,
  downloadMemory,
  loopDelay,
  gzipListing,
  deltaFlat,
  smallSync,
  durableUploads,
  upload10k,
  importBookmarks,
  openAfterCrash,
  manyAccounts,
  memoryAtRest,
  commitBesideLogins,
  commitWithWebhook,
  strangers,
  liveIdle,
  liveLatency,
  webFirstListing,
  webStartOffline,
  webSearchKey,
  webScroll,
  webMemory,
  webFirstLoad,
  postgresListing,
  postgresSmallSync,
  postgresUploads,
  postgresProcesses,
  postgresMany,
  peerJsonServer,
  peerPouchdbServer,
  peerRadicale,
  peerKinto,
]
