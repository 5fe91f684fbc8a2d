import { createHmac } from 'node:crypto'
import { createOutbound } from '../outbound/create-outbound.ts'
import { createDeliveryRules } from '../outbound/delivery-rules.ts'
import type { DeliveryOptions } from './open-delivery.ts'

/** Sends to receivers on this machine. */
export const trialSending: Pick<DeliveryOptions, 'send' | 'signWebhook' | 'encryptPush'> = {
  send: createOutbound(createDeliveryRules(['127.0.0.0/8']), { version: '0.0.0' }).send,
  signWebhook: ({ id, timestamp, body, secrets }) => ({
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets
      .map(
        (secret) =>
          `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
            .update(`${id}.${timestamp}.${body}`)
            .digest('base64')}`,
      )
      .join(' '),
  }),
  encryptPush: async (_, payload) => ({ headers: {}, body: Buffer.from(payload) }),
}
