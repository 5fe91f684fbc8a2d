import { createHmac } from 'node:crypto'
import type { DeliveryOptions } from './open-delivery.ts'

export const trialSending: Pick<DeliveryOptions, 'send' | 'signWebhook' | 'encryptPush'> = {
  send: async ({ url, headers, body, signal }) => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body: body as string,
        redirect: 'manual',
        signal: signal ?? null,
      })
      const after = answer.headers.get('retry-after')
      return {
        kind: 'answered',
        status: answer.status,
        ...(after === null ? {} : { retryAfterMs: Number(after) * 1000 }),
      }
    } catch (error) {
      signal?.throwIfAborted()
      return { kind: 'failed', reason: String(error) }
    }
  },
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
