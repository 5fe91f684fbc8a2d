/**
 * The server as a library: `openServer`, or `createHandler` for a server of your own, on any store that keeps the
 * promise in `store.ts`. The types of the wire are in `thingsync/types`, the document in `thingsync/openapi.yaml`.
 */
import { type JsonFileStoreOptions, openJsonFileStore as openFolder } from './store/json-file-store.ts'
import { type MemoryStoreOptions, openMemoryStore as openMemory } from './store/memory-store.ts'
import type { Store, ThingForm } from './store/store.ts'
import { thingForm } from './things/thing.ts'

export { type AppCredentials, addApp } from './accounts/apps.ts'
export { addUser } from './accounts/users.ts'
export { createLimits, type Limits } from './api/limits.ts'
export { type Environment, systemEnvironment } from './environment.ts'
export { createHandler, type Handler, type HandlerOptions } from './http/handler.ts'
export type { ServerSettings } from './http/server.ts'
export { type OpenServer, openServer } from './http/server.ts'
export { type StartDeliveryOptions, startDelivery } from './runtime/start-delivery.ts'
export { type Store, StoreError } from './store/store.ts'

/** The options of a store whose things have the form of the interface, unless the caller has another form. */
type WithoutForm<Options extends { readonly form: ThingForm }> = Omit<Options, 'form'> & Partial<Pick<Options, 'form'>>

/**
 * Opens the store that has everything as JSON files in one folder. Only one process at a time may have the folder open.
 * Close the store when no more requests arrive.
 * @throws StoreError when the folder cannot be used or `directory.json` is damaged
 */
export const openJsonFileStore = (options: WithoutForm<JsonFileStoreOptions>): Promise<Store> =>
  openFolder({ form: thingForm, ...options })

/** Opens an empty store in memory. It keeps every promise but durability: its data ends with the process. */
export const openMemoryStore = (options: WithoutForm<MemoryStoreOptions> = {}): Promise<Store> =>
  openMemory({ form: thingForm, ...options })
