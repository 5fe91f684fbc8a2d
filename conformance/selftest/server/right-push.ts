import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'
import type { Device, Json, Session } from './world.ts'

const serverKeys = createECDH('prime256v1')
serverKeys.generateKeys()

/** The public key for Web Push. */
export const publicKey = serverKeys.getPublicKey('base64url', 'uncompressed')

const point = serverKeys.getPublicKey()

const privateKey = createPrivateKey({
  format: 'jwk',
  key: {
    ...{ kty: 'EC', crv: 'P-256', d: serverKeys.getPrivateKey('base64url') },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  },
})

const base64 = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Web Push (contract, delivery). */
export const rightPush = {
  pushText: (position: number): string => JSON.stringify({ pos: position }),
  /** A message for the keys of a device (RFC 8291), in one record. */
  encryptPush: (text: string, p256dh: Buffer, auth: Buffer): Buffer => {
    const keys = createECDH('prime256v1')
    const own = keys.generateKeys()
    const salt = randomBytes(16)
    const hkdf = (secret: Buffer, by: Buffer, info: Buffer, length: number): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, by, info, length))
    const input = hkdf(
      keys.computeSecret(p256dh),
      auth,
      Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own]),
      32,
    )
    const key = hkdf(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = hkdf(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const cipher = createCipheriv('aes-128-gcm', key, nonce)
    const record = Buffer.concat([cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(2)])), cipher.final()])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(4096)
    return Buffer.concat([salt, size, Buffer.of(own.length), own, record, cipher.getAuthTag()])
  },
  pushMethod: 'POST',
  pushHeaders: (): Record<string, string> => ({
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: '86400',
    topic: 'pos',
  }),
  vapidClaims: (endpoint: string): Json => ({
    aud: new URL(endpoint).origin,
    exp: Math.floor(Date.now() / 1000) + 3600,
  }),
  vapidSignature: (text: string): string =>
    sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  vapid: (token: string): Record<string, string> => ({ authorization: `vapid t=${token}, k=${publicKey}` }),
  /** Whether a device is told of a write. */
  pushes: (device: Device, writer: Session): boolean => device.session !== writer,
  /** The addresses of a device. */
  endpointsOf: (device: Device): readonly string[] => [String(device.fields.endpoint)],
  /** Answers of a push service that say that a device is gone. */
  endsDevice: [404, 410] as readonly number[],
}

/** The token of RFC 8292 for an endpoint. */
export function writeToken(claims: Json, signature: (text: string) => string): string {
  const text = `${base64({ typ: 'JWT', alg: 'ES256' })}.${base64(claims)}`
  return `${text}.${signature(text)}`
}
