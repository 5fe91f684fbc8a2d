import type { QuotaForAll } from '../accounts/quotas.ts'
import type { Handlers } from '../api/handlers.ts'
import type { SubscriptionGuard } from '../delivery/subscriptions.ts'
import type { Environment } from '../environment.ts'
import type { Live } from '../live/live.ts'
import type { PreviewLink } from '../preview/link-previews.ts'
import type { Store } from '../store/store.ts'
import { sessionOperations, type TokenOptions, tokenOperations, userOperations } from './accounts.ts'
import { deviceOperations, webhookOperations } from './delivery.ts'
import { syncOperations } from './sync.ts'
import { linkOperations, tagsOperations, thingOperations, thingsOperations } from './things.ts'

/** The options of `createOperations`. */
interface OperationsOptions {
  readonly store: Store
  readonly environment: Environment
  readonly live: Live
  readonly guard: SubscriptionGuard
  readonly rules: TokenOptions
  /** The default quotas of users. */
  readonly quotas: QuotaForAll
  /** Loads the reader of pages; undefined on a server without link previews. */
  readonly loadPreviews: (() => Promise<PreviewLink>) | undefined
}

/**
 * Creates all operations of the document, by the first word of their paths (interface 4.1). This folder maps decoded
 * parameters to calls of the rules, and results to response bodies. It must not know HTTP messages, sockets or how a
 * store works. Start reading here.
 */
export const createOperations = ({
  store,
  environment,
  live,
  guard,
  rules,
  quotas,
  loadPreviews,
}: OperationsOptions): Handlers => ({
  ...tokenOperations(store, environment, rules),
  ...syncOperations(store, environment, live),
  ...tagsOperations(store),
  ...thingOperations(store, environment),
  ...thingsOperations(store),
  ...linkOperations(loadPreviews),
  ...userOperations(store),
  ...sessionOperations(store, environment),
  ...webhookOperations(store, environment, guard, quotas),
  ...deviceOperations(store, environment, guard),
})
