/**
 * The server as a library: `openServer`, or `createHandler` for a server of your own, on any store that keeps the
 * promise in `store.ts`. The types of the wire are in `thingsync/types`, the document in `thingsync/openapi.yaml`.
 */
export { type AppCredentials, addApp } from './accounts/apps.ts'
export { addUser } from './accounts/users.ts'
export { createLimits, type Limits } from './api/limits.ts'
export { type Environment, systemEnvironment } from './environment.ts'
export { createHandler, type Handler, type HandlerOptions } from './http/handler.ts'
export type { ServerSettings } from './http/server.ts'
export { type OpenServer, openServer } from './http/server.ts'
export { type StartDeliveryOptions, startDelivery } from './runtime/start-delivery.ts'
export { openJsonFileStore } from './store/json-file-store.ts'
export { openMemoryStore } from './store/memory-store.ts'
export { type Store, StoreError } from './store/store.ts'
export { thingForm } from './things/thing.ts'
