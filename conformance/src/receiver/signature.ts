import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Delivery } from './mailbox.ts'

const prefix = 'whsec_'

/**
 * The key of a secret as Standard Webhooks 1.0 writes it, `whsec_` and the base64 of 24 to 64 bytes; undefined when it
 * is none.
 */
export const readSecret = (secret: unknown): Buffer | undefined => {
  if (typeof secret !== 'string' || !secret.startsWith(prefix)) return undefined
  const text = secret.slice(prefix.length)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const key = Buffer.from(text, 'base64')
  return key.length >= 24 && key.length <= 64 ? key : undefined
}

/** The signature that a message has to carry, `v1,` and the HMAC-SHA256 of `id.timestamp.body` as base64. */
const signatureOf = (key: Buffer, { headers, body }: Delivery): Buffer => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  return Buffer.from(`v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`)
}

/** Whether one of the signatures of a message, with blanks between them, is one by the secret. */
export const isSignedBy = (secret: string, delivery: Delivery): boolean => {
  const key = readSecret(secret)
  if (key === undefined) return false
  const wanted = signatureOf(key, delivery)
  const given = (delivery.headers['webhook-signature'] ?? '').split(' ').map((each) => Buffer.from(each))
  return given.some((each) => each.length === wanted.length && timingSafeEqual(each, wanted))
}
