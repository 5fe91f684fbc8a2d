/**
 * The client of any server of the interface: tokens, sync, listings as streams and pages, and a replica that works
 * offline and syncs with the server. It needs only Node 20 or a browser, and openapi-fetch. Start reading at
 * `create-client.ts` for requests, and at `replica.ts` for offline work.
 */
export type {
  LinkPreview,
  SyncResponse,
  TagSettings,
  TagSettingsChange,
  Thing,
  ThingCreate,
  ThingUpdate,
} from '../../generated/types.ts'
export type { Api, Listener, LiveEvent, RetryOptions, Send, WaitOptions } from './api.ts'
export { ClientError, type ClientErrorCode, isClientError } from './client-error.ts'
export type { ClientOptions } from './create-client.ts'
export { type Client, createClient, type SyncParameters } from './create-client.ts'
export type { LostEdit, ReplicaChange } from './edits.ts'
export { type ThingVersion, versionDays, versionsPerThing } from './edits.ts'
export type { Backoff, Pace } from './environment.ts'
export {
  createRandomId as createLocalId,
  type NetworkChange,
  type WatchNetwork,
  watchBrowserNetwork,
} from './environment.ts'
export type { ChannelName, ChannelTimes, Live, LiveOptions, LiveState, LiveStatus } from './live.ts'
export { createMemoryLocalStore, type LocalStore } from './local-store.ts'
export { createReplica, type Replica, type ReplicaOptions } from './replica.ts'
export type { ReplicaEdit, ReplicaFields, ReplicaTagFields, ReplicaThing, TypedField } from './replica-records.ts'
export type { ReplicaSyncOptions, ReplicaSyncProgress, ReplicaSyncResult } from './replica-sync.ts'
export { openReplicaReader, type ReplicaReader } from './replica-view.ts'
export type { ChangesPage, PageOptions, StreamOptions, SyncEvent, SyncProgress } from './sync.ts'
export {
  beginSignIn,
  createMemoryTokenStorage,
  type TokenStorage,
  type Tokens,
  type WebSignIn,
  type WebSignInOptions,
} from './tokens.ts'
export type { RejectedEdit } from './upload.ts'
