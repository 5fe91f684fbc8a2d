import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'

/** The keys by which a server is known to push services, as base64url: a point and a number of P-256. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Makes keys; they are kept, since browsers bind each registration to the public one. */
export const makeVapidKeys = (): VapidKeys => {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // 32 bytes, also where the number is short.
  const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
  return { publicKey, privateKey }
}

const toKeyObject = ({ publicKey, privateKey: d }: VapidKeys): KeyObject => {
  const point = Buffer.from(publicKey, 'base64url')
  const x = point.toString('base64url', 1, 33)
  const y = point.toString('base64url', 33)
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d }, format: 'jwk' })
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const lifetimeSeconds = 12 * 60 * 60

/**
 * The `Authorization` header that says to a push service who sends (RFC 8292): a token for its origin, good for 12 hours.
 * `contact` is an address, `mailto:` or `https:`, by which its people reach ours; some services insist on one.
 */
export const authorizePush = (endpoint: string, keys: VapidKeys, now: number, contact?: string): string => {
  const expires = Math.floor(now / 1000) + lifetimeSeconds
  const claims = { aud: new URL(endpoint).origin, exp: expires, ...(contact === undefined ? {} : { sub: contact }) }
  const content = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const key = { key: toKeyObject(keys), dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(content), key).toString('base64url')
  return `vapid t=${content}.${signature}, k=${keys.publicKey}`
}
