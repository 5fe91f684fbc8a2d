import { createHmac } from 'node:crypto'

/** What is signed. */
export interface WebhookMessage {
  /** The same for each try, so that a receiver knows what it has had; without a full stop, which separates. */
  readonly id: string
  /** When this try is made, in milliseconds since 1970: a receiver refuses what is minutes old. */
  readonly now: number
  readonly body: string
  /** `whsec_` and base64; each makes a signature. While a secret is replaced both are given, the new one first. */
  readonly secrets: readonly string[]
}

const sign = (secret: string, content: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/** The headers that prove to a receiver who sent a body and when (Standard Webhooks 1.0). */
export const signWebhook = ({ id, now, body, secrets }: WebhookMessage): Record<string, string> => {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
