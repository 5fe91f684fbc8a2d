/**
 * The client of any server that keeps the interface: tokens, sync, listings as streams and pages, and a replica for
 * work without the server, which is kept in step with it. Uses nothing but what Node 20 and browsers have, and
 * openapi-fetch.
 */
export type {
  SyncAnswer,
  TagSettings,
  TagSettingsChange,
  Thing,
  ThingCreate,
  ThingUpdate,
} from '../../generated/types.ts'
export type { ClientOptions } from './check-options.ts'
export { ClientError, type ClientErrorCode, isClientError } from './client-error.ts'
export type { Api, Send } from './create-api.ts'
export { type Client, createClient, type SyncParameters } from './create-client.ts'
export type { ChangesPage, PageOptions } from './list-pages.ts'
export type { Listener, LiveEvent, WaitOptions } from './listen.ts'
export type { Live, LiveOptions } from './live.ts'
export type { ChannelName, ChannelTimes } from './live-channels.ts'
export type { LiveState, LiveStatus } from './live-state.ts'
export { createMemoryLocalStore, type LocalStore } from './local-store.ts'
export type { LostEdit } from './lost-edits.ts'
export { type NetworkChange, type WatchNetwork, watchBrowserNetwork } from './network.ts'
export type { Backoff, Pace } from './pace.ts'
export { createRandomId as createLocalId } from './random-id.ts'
export type { RefusedEdit } from './refused-edits.ts'
export { createReplica, type Replica, type ReplicaOptions } from './replica.ts'
export type { ReplicaChange } from './replica-changes.ts'
export { openReplicaReader, type ReplicaReader } from './replica-reader.ts'
export type { ReplicaEdit, ReplicaFields, ReplicaTagFields, ReplicaThing, TypedField } from './replica-records.ts'
export type { ReplicaSyncOptions, ReplicaSyncProgress, ReplicaSyncResult } from './replica-sync.ts'
export type { RetryOptions } from './retry.ts'
export type { StreamOptions, SyncEvent, SyncProgress } from './sync-events.ts'
export { createMemoryTokenStorage, type TokenStorage, type Tokens } from './tokens.ts'
export { type ThingVersion, versionDays, versionsPerThing } from './versions.ts'
export { beginWebSignIn, type WebSignIn, type WebSignInOptions } from './web-sign-in.ts'
