import type { DeliveryOptions } from '../../src/delivery/dispatcher.ts'
import { createDeliveryRules } from '../../src/outbound/address-guard.ts'
import { createOutbound } from '../../src/outbound/client.ts'
import { createVapidKeys } from '../../src/outbound/web-push.ts'

const pushKeys = createVapidKeys()

/** Sends to receivers on this machine. */
export const fixtureSending: Pick<DeliveryOptions, 'send' | 'findPushKeys'> = {
  send: createOutbound(createDeliveryRules(['127.0.0.0/8']), { version: '0.0.0' }).send,
  findPushKeys: async () => pushKeys,
}
