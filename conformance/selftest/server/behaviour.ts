import { rightDelivery } from './right-delivery.ts'
import { rightFlow } from './right-flow.ts'
import { rightListings } from './right-listings.ts'
import { rightLive } from './right-live.ts'
import { rightOperations } from './right-operations.ts'
import { rightPush } from './right-push.ts'
import { type Exchange, rightRequests } from './right-requests.ts'
import { rightRestarts } from './right-restarts.ts'
import { rightTokens } from './right-tokens.ts'
import { rightUploads } from './right-uploads.ts'
import type { World } from './world.ts'

/** What a right server does, in small pieces; a fault or a legal difference replaces one of them. */
export const right = {
  ...rightRequests,
  ...rightTokens,
  ...rightUploads,
  ...rightListings,
  ...rightOperations,
  ...rightFlow,
  ...rightRestarts,
  ...rightDelivery,
  ...rightLive,
  ...rightPush,
}

/** All the pieces in which one server can differ from another. */
export type Behaviour = typeof right

/** The state of a server together with how it behaves. */
export interface RunningWorld extends World {
  readonly behaviour: Behaviour
}

/** A request to such a server while a response is made. */
export interface RunningExchange extends Exchange {
  readonly world: RunningWorld
}
