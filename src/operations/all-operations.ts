import type { QuotaForAll } from '../accounts/quotas.ts'
import type { Handlers } from '../api/handlers.ts'
import type { Live } from '../live/live.ts'
import type { SubscriptionGuard } from '../outbound/subscription-guard.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { deviceOperations } from './device.ts'
import { sessionOperations } from './session.ts'
import { syncOperations } from './sync.ts'
import { tagsOperations } from './tags.ts'
import { thingOperations } from './thing.ts'
import { thingsOperations } from './things.ts'
import { type TokenRules, tokenOperations } from './token.ts'
import { userOperations } from './user.ts'
import { webhookOperations } from './webhook.ts'

/** What the operations work with. */
export interface OperationsSetting {
  readonly store: Store
  readonly world: World
  readonly live: Live
  readonly guard: SubscriptionGuard
  readonly rules: TokenRules
  /** How much everybody may have. */
  readonly quotas: QuotaForAll
}

/** Every operation of the document; one file for each first word of the paths (interface 4.1). */
export const createOperations = ({ store, world, live, guard, rules, quotas }: OperationsSetting): Handlers => ({
  ...tokenOperations(store, world, rules),
  ...syncOperations(store, world, live),
  ...tagsOperations(store),
  ...thingOperations(store, world),
  ...thingsOperations(store),
  ...userOperations(store),
  ...sessionOperations(store, world),
  ...webhookOperations(store, world, guard, quotas),
  ...deviceOperations(store, world, guard),
})
