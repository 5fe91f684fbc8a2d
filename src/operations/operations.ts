import type { QuotaForAll } from '../accounts/quotas.ts'
import type { Handlers } from '../api/handlers.ts'
import type { SubscriptionGuard } from '../delivery/subscriptions.ts'
import type { Environment } from '../environment.ts'
import type { Live } from '../live/live.ts'
import type { Store } from '../store/store.ts'
import { sessionOperations, type TokenOptions, tokenOperations, userOperations } from './accounts.ts'
import { deviceOperations, webhookOperations } from './delivery.ts'
import { syncOperations } from './sync.ts'
import { tagsOperations, thingOperations, thingsOperations } from './things.ts'

/** What the operations work with. */
interface OperationsOptions {
  readonly store: Store
  readonly environment: Environment
  readonly live: Live
  readonly guard: SubscriptionGuard
  readonly rules: TokenOptions
  /** How much everybody may have. */
  readonly quotas: QuotaForAll
}

/** Every operation of the document; one file for each first word of the paths (interface 4.1). */
export const createOperations = ({ store, environment, live, guard, rules, quotas }: OperationsOptions): Handlers => ({
  ...tokenOperations(store, environment, rules),
  ...syncOperations(store, environment, live),
  ...tagsOperations(store),
  ...thingOperations(store, environment),
  ...thingsOperations(store),
  ...userOperations(store),
  ...sessionOperations(store, environment),
  ...webhookOperations(store, environment, guard, quotas),
  ...deviceOperations(store, environment, guard),
})
