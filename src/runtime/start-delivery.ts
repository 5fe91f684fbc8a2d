import type { Logger } from 'pino'
import { findAppAccess, isDisabled } from '../accounts/apps.ts'
import { listSessions } from '../accounts/session-management.ts'
import { type Delivery, type DeliveryOptions, openDelivery } from '../delivery/dispatcher.ts'
import { type Environment, readVersion, systemEnvironment } from '../environment.ts'
import type { DeliveryOutcome } from '../metrics/metrics.ts'
import { createDeliveryRules } from '../outbound/address-guard.ts'
import type { Outcome } from '../outbound/client.ts'
import { loadOnce } from '../scheduling.ts'
import type { Store } from '../store/store.ts'
import { thingForm } from '../things/thing.ts'

/** The options of `startDelivery`. */
export interface StartDeliveryOptions
  extends Pick<Partial<DeliveryOptions>, 'setTimer' | 'limits' | 'random' | 'contact'> {
  /** The store of the server. The caller closes it, after delivery is closed. */
  readonly store: Store
  readonly log: Logger
  /** Time and ids; the system by default. */
  readonly environment?: Environment
  /** Targets of webhooks and push notifications beside the public internet; none by default. */
  readonly deliveryAllow?: readonly string[]
  /** Is called with the outcome of each delivery. */
  readonly onSent?: (outcome: DeliveryOutcome) => void
}

/**
 * Calls webhooks and pushes to devices when things change, until it is closed. A handler or a server does not deliver
 * by itself. Of all processes that share a store, only one delivers.
 */
export const startDelivery = async (options: StartDeliveryOptions): Promise<Delivery> => {
  const { store, log, environment = systemEnvironment, deliveryAllow, onSent, ...driven } = options
  const rules = createDeliveryRules(deliveryAllow)
  // Loaded with the first delivery: most servers have none.
  const loadOutbound = loadOnce(async () => {
    const { createOutbound } = await import('../outbound/client.ts')
    return createOutbound(rules, { version: readVersion(), now: environment.now })
  })
  return openDelivery({
    ...driven,
    store,
    environment,
    log,
    send: async (request) => {
      const outcome = await (await loadOutbound()).send(request)
      onSent?.(nameOutcome(outcome))
      return outcome
    },
    findPushKeys: async () => {
      const { findPushKeys } = await import('../delivery/deliver-push.ts')
      return findPushKeys(store, environment)
    },
    showThing: thingForm.showThing,
    findAppAccess: (userId, clientId) => findAppAccess(store, userId, clientId, environment),
    isUserDisabled: (userId) => isDisabled(store, userId),
    isSessionActive: async (userId, sessionId) =>
      (await listSessions(store, userId, environment)).some(({ id }) => id === sessionId),
  })
}

const nameOutcome = (outcome: Outcome): DeliveryOutcome => {
  if (outcome.kind !== 'responded') return outcome.kind
  return outcome.status >= 200 && outcome.status < 300 ? 'delivered' : 'failed'
}
