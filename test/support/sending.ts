import type { DeliveryOptions } from '../../src/delivery/open-delivery.ts'
import { createOutbound } from '../../src/outbound/create-outbound.ts'
import { createDeliveryRules } from '../../src/outbound/delivery-rules.ts'
import { makeVapidKeys } from '../../src/outbound/vapid.ts'

const pushKeys = makeVapidKeys()

/** Sends to receivers on this machine. */
export const trialSending: Pick<DeliveryOptions, 'send' | 'findPushKeys'> = {
  send: createOutbound(createDeliveryRules(['127.0.0.0/8']), { version: '0.0.0' }).send,
  findPushKeys: async () => pushKeys,
}
