import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The proof that a form was made for this browser: only who knows the secret of its cookie can make one. Each is another,
 * so that a page that is compressed with it gives nothing of it away by its length.
 */
export const makeFormToken = (secret: string, nonce: string): string => `${nonce}.${sign(secret, nonce)}`

/** True for a proof that was made with this secret. */
export const isFormToken = (token: string, secret: string): boolean => {
  const [nonce = '', signature = ''] = token.split('.', 2)
  const [given, right] = [Buffer.from(signature), Buffer.from(sign(secret, nonce))]
  return given.length === right.length && timingSafeEqual(given, right)
}

const sign = (secret: string, nonce: string): string =>
  createHmac('sha256', secret).update(`form ${nonce}`).digest('base64url')
