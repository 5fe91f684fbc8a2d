import type { Logger } from 'pino'
import type { Outbound } from '../outbound/create-outbound.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import type { ShowThing } from './build-message.ts'

/** What those who tell work with. */
export interface TellingPlace {
  readonly store: Store
  readonly world: World
  readonly send: Outbound['send']
  readonly showThing: ShowThing
  /** False once the app was removed that registered a webhook, or the personal access token. */
  readonly isAppKnown: (userId: string, clientId: string) => Promise<boolean>
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number
  readonly log: Pick<Logger, 'info' | 'debug'>
}

/** Who writes what delivery keeps; no session has this id. */
export const deliveryWriter = 'delivery'

/** The least time between two messages to one receiver, in milliseconds. */
export const messageSpacingMs = 1000

/** How soon something is tried again that was not sent because too much was on its way to its host. */
export const busyWaitMs = 1000
