import type { Logger } from 'pino'
import { findAppAccess, isDisabled } from '../accounts/apps.ts'
import { listSessions } from '../accounts/session-management.ts'
import { findPushKeys } from '../delivery/deliver-push.ts'
import { type Delivery, type DeliveryOptions, openDelivery } from '../delivery/dispatcher.ts'
import { type Environment, readVersion, systemEnvironment } from '../environment.ts'
import type { DeliveryOutcome } from '../metrics/metrics.ts'
import { createDeliveryRules } from '../outbound/address-guard.ts'
import type { Outcome } from '../outbound/client.ts'
import { createOutbound } from '../outbound/client.ts'
import type { Store } from '../store/store.ts'
import { thingForm } from '../things/thing.ts'

/** What delivery is started with. */
export interface StartDeliveryOptions
  extends Pick<Partial<DeliveryOptions>, 'setTimer' | 'limits' | 'random' | 'contact'> {
  /** The store that the server works on; stays the caller's: close it after delivery. */
  readonly store: Store
  readonly log: Logger
  /** Time and ids; the system's by default. */
  readonly environment?: Environment
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
  const { store, log, environment = systemEnvironment, deliveryAllow, onSent, ...driven } = options
  const outbound = createOutbound(createDeliveryRules(deliveryAllow), { version: readVersion(), now: environment.now })
  return openDelivery({
    ...driven,
    store,
    environment,
    log,
    send: async (request) => {
      const outcome = await outbound.send(request)
      onSent?.(nameOutcome(outcome))
      return outcome
    },
    findPushKeys: () => findPushKeys(store, environment),
    showThing: thingForm.showThing,
    findAppAccess: (userId, clientId) => findAppAccess(store, userId, clientId, environment),
    isUserDisabled: (userId) => isDisabled(store, userId),
    isSessionActive: async (userId, sessionId) =>
      (await listSessions(store, userId, environment)).some(({ id }) => id === sessionId),
  })
}

const nameOutcome = (outcome: Outcome): DeliveryOutcome => {
  if (outcome.kind !== 'answered') return outcome.kind
  return outcome.status >= 200 && outcome.status < 300 ? 'delivered' : 'failed'
}
