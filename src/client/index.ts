/**
 * The client of any server that keeps the interface: tokens, sync, listings as streams and pages, and a replica for
 * work without the server. Uses nothing but what Node 20 and browsers have, and openapi-fetch.
 */
export type {
  SyncAnswer,
  TagSettings,
  TagSettingsChange,
  Thing,
  ThingCreate,
  ThingUpdate,
} from '../../generated/types.ts'
export { ClientError, type ClientErrorCode, isClientError } from './client-error.ts'
export type { Api, Send } from './create-api.ts'
export { type Client, type ClientOptions, createClient, type SyncParameters } from './create-client.ts'
export type { ChangesPage, PageOptions } from './list-pages.ts'
export { createMemoryLocalStore, type LocalStore } from './local-store.ts'
export type { LostEdit } from './lost-edits.ts'
export type { RefusedEdit } from './refused-edits.ts'
export { createReplica, type Replica, type ReplicaOptions } from './replica.ts'
export type { ReplicaFields, ReplicaTagFields, ReplicaThing } from './replica-records.ts'
export type { ReplicaSyncOptions, ReplicaSyncResult } from './replica-sync.ts'
export type { StreamOptions, SyncEvent, SyncProgress } from './sync-events.ts'
export { createMemoryTokenStorage, type TokenStorage, type Tokens } from './tokens.ts'
