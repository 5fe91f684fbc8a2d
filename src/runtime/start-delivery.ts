import type { Logger } from 'pino'
import { findAppAccess, isDisabled } from '../accounts/app-access.ts'
import { findPushKey } from '../accounts/push-key.ts'
import { listSessions } from '../accounts/sessions.ts'
import { type Delivery, type DeliveryOptions, openDelivery } from '../delivery/open-delivery.ts'
import type { DeliveryOutcome } from '../metrics/metrics.ts'
import { createOutbound } from '../outbound/create-outbound.ts'
import { createDeliveryRules } from '../outbound/delivery-rules.ts'
import type { Outcome } from '../outbound/outcome.ts'
import { readVersion } from '../read-version.ts'
import type { Store } from '../store/store.ts'
import { thingForm } from '../things/thing-form.ts'
import { systemWorld, type World } from '../world.ts'

/** What delivery is started with. */
export interface StartDeliveryOptions
  extends Pick<Partial<DeliveryOptions>, 'setTimer' | 'limits' | 'random' | 'contact'> {
  /** The store that the server works on; stays the caller's: close it after delivery. */
  readonly store: Store
  readonly log: Logger
  /** Time and ids; the system's by default. */
  readonly world?: World
  /** Where webhooks and push notifications may be sent beside the public internet; nowhere by default. */
  readonly deliveryAllow?: readonly string[]
  /** Told of everything that was sent, or could not be. */
  readonly onSent?: (outcome: DeliveryOutcome) => void
}

/**
 * Calls webhooks and pushes to devices when things change, for as long as it is open; a handler or a server alone tells
 * nobody. Of all processes that share a store, one does this.
 */
export const startDelivery = async (options: StartDeliveryOptions): Promise<Delivery> => {
  const { store, log, world = systemWorld, deliveryAllow, onSent, ...driven } = options
  const outbound = createOutbound(createDeliveryRules(deliveryAllow), { version: readVersion(), now: world.now })
  return openDelivery({
    ...driven,
    store,
    world,
    log,
    send: async (request) => {
      const outcome = await outbound.send(request)
      onSent?.(nameOutcome(outcome))
      return outcome
    },
    findPushKeys: () => findPushKey(store, world),
    showThing: thingForm.showThing,
    findAppAccess: (userId, clientId) => findAppAccess(store, userId, clientId, world),
    isUserDisabled: (userId) => isDisabled(store, userId),
    isSessionLiving: async (userId, sessionId) =>
      (await listSessions(store, userId, world)).some(({ id }) => id === sessionId),
  })
}

const nameOutcome = (outcome: Outcome): DeliveryOutcome => {
  if (outcome.kind !== 'answered') return outcome.kind
  return outcome.status >= 200 && outcome.status < 300 ? 'delivered' : 'failed'
}
