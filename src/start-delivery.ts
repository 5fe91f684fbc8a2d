import type { Logger } from 'pino'
import { findPushKey } from './accounts/push-key.ts'
import { listSessions } from './accounts/sessions.ts'
import { type Delivery, type DeliveryOptions, openDelivery } from './delivery/open-delivery.ts'
import { createOutbound } from './outbound/create-outbound.ts'
import { createDeliveryRules } from './outbound/delivery-rules.ts'
import { readVersion } from './read-version.ts'
import type { Store } from './store/store.ts'
import { thingForm } from './things/thing-form.ts'
import { systemWorld, type World } from './world.ts'

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
}

/**
 * Calls webhooks and pushes to devices when things change, for as long as it is open; a handler or a server alone tells
 * nobody. Of all processes that share a store, one does this.
 */
export const startDelivery = async (options: StartDeliveryOptions): Promise<Delivery> => {
  const { store, log, world = systemWorld, deliveryAllow, ...driven } = options
  const outbound = createOutbound(createDeliveryRules(deliveryAllow), { version: readVersion(), now: world.now })
  return openDelivery({
    ...driven,
    store,
    world,
    log,
    send: outbound.send,
    findPushKeys: () => findPushKey(store, world),
    showThing: thingForm.showThing,
    // The app of a personal access token is the token.
    isAppKnown: async (userId, clientId) =>
      (await store.directory.findApp(clientId)) !== undefined ||
      (await listSessions(store, userId, world)).some((session) => session.clientId === clientId),
    isSessionLiving: async (userId, sessionId) =>
      (await listSessions(store, userId, world)).some(({ id }) => id === sessionId),
  })
}
