import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { isObject, type JsonObject, parseJson } from '../encoding.ts'
import type { Delivery } from './receiver.ts'

/** A browser's side of a push subscription. */
export interface PushSubscription {
  /** The keys, as parameters of register/device. */
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** Decrypts a message (RFC 8291); returns its text, or a sentence when it cannot be read. */
  readonly open: (delivery: Delivery) => { readonly text: string } | { readonly wrong: string }
}

const saltBytes = 16
const headBytes = saltBytes + 4 + 1
const tagBytes = 16

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** Splits a body in the coding aes128gcm (RFC 8188, 2.1), which is one record here. */
const readParts = (body: Buffer) => {
  const idLength = body[headBytes - 1] ?? 0
  return {
    salt: body.subarray(0, saltBytes),
    key: body.subarray(headBytes, headBytes + idLength),
    record: body.subarray(headBytes + idLength),
  }
}

const decrypt = (body: Buffer, own: ECDH, auth: Buffer): string => {
  const { salt, key, record } = readParts(body)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), key])
  const input = derive(own.computeSecret(key), auth, info, 32)
  const cek = derive(input, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(input, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', cek, nonce)
  decipher.setAuthTag(record.subarray(-tagBytes))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -tagBytes)), decipher.final()])
  // The padding of the last record is a 2 and any number of zeros.
  const end = padded.lastIndexOf(2)
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is wrong')
  return padded.subarray(0, end).toString('utf8')
}

/** Creates a subscription with new keys. */
export const createPushSubscription = (): PushSubscription => {
  const own = createECDH('prime256v1')
  const p256dh = own.generateKeys('base64url', 'uncompressed')
  const auth = randomBytes(16)
  return {
    keys: { p256dh, auth: auth.toString('base64url') },
    open: ({ body, headers }) => {
      const coding = headers['content-encoding'] ?? 'none'
      if (coding !== 'aes128gcm') return { wrong: `the Content-Encoding ${coding}` }
      try {
        return { text: decrypt(body, own, auth) }
      } catch (error) {
        // Every error of the cipher or of the curve means that this subscription cannot read the message.
        return { wrong: `${body.length} bytes that do not decrypt: ${error instanceof Error ? error.message : error}` }
      }
    },
  }
}

/** The contents of a header `Authorization: vapid t=…, k=…` (RFC 8292, 3). */
interface Vapid {
  /** The public key, base64url. */
  readonly key: string
  readonly claims: JsonObject
  readonly isSigned: boolean
}

const readJsonPart = (part: string | undefined): JsonObject => {
  const value = parseJson(Buffer.from(part ?? '', 'base64url').toString('utf8'))
  return isObject(value) ? value : {}
}

const isTokenSignedBy = (key: string, text: string, signature: string): boolean => {
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65) return false
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ]
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  try {
    const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
    return verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))
  } catch (error) {
    // The point is not on the curve.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** Reads the VAPID header of a push message; returns undefined when it has another form. */
export const readVapid = ({ headers }: Delivery): Vapid | undefined => {
  const { authorization = '' } = headers
  const [, rest] = /^vapid\s+(.+)$/i.exec(authorization) ?? []
  const parts = new Map(
    (rest ?? '').split(',').map((each) => each.trim().split(/=(.*)/s).slice(0, 2) as [string, string]),
  )
  const [token, key] = [parts.get('t'), parts.get('k')]
  if (token === undefined || key === undefined) return undefined
  const [head, claims, signature] = token.split('.')
  const isEs256 = readJsonPart(head).alg === 'ES256'
  return {
    key,
    claims: readJsonPart(claims),
    isSigned: isEs256 && isTokenSignedBy(key, `${head}.${claims}`, signature ?? ''),
  }
}

const prefix = 'whsec_'

/**
 * Reads the key of a secret as in Standard Webhooks 1.0: `whsec_` and the base64 of 24 to 64 bytes. Returns undefined
 * for any other value.
 */
export const readSecret = (secret: unknown): Buffer | undefined => {
  if (typeof secret !== 'string' || !secret.startsWith(prefix)) return undefined
  const text = secret.slice(prefix.length)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const key = Buffer.from(text, 'base64')
  return key.length >= 24 && key.length <= 64 ? key : undefined
}

/** Returns the signature that a message must have: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. */
const signatureOf = (key: Buffer, { headers, body }: Delivery): Buffer => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  return Buffer.from(`v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`)
}

/** Whether the secret made one of the signatures of a message; spaces separate the signatures. */
export const isSignedBy = (secret: string, delivery: Delivery): boolean => {
  const key = readSecret(secret)
  if (key === undefined) return false
  const expectedSignature = signatureOf(key, delivery)
  const signatures = (delivery.headers['webhook-signature'] ?? '').split(' ').map((each) => Buffer.from(each))
  return signatures.some((each) => each.length === expectedSignature.length && timingSafeEqual(each, expectedSignature))
}
