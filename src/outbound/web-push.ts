import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  ECDH,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import type { OutboundRequest } from './client.ts'

/** A Web Push message to one device. */
interface PushMessage {
  readonly endpoint: string
  readonly keys: PushKeys
  readonly message: string
  /** Replaces a waiting message with the same topic. At most 32 letters, digits, `-` and `_` (RFC 8030, 5.4). */
  readonly topic: string
  readonly vapid: VapidKeys
  /** A `mailto:` or `https:` URI by which the operator of the push service can reach the administrator. */
  readonly contact?: string
  /** Unix time in milliseconds. */
  readonly now: number
}

const daySeconds = 24 * 60 * 60

/**
 * Creates the request for a push message: encrypted, signed with the VAPID keys, kept by the push service for a day.
 * @throws RangeError if the message is too long or the topic is invalid, TypeError if the keys are invalid
 */
export const createPush = ({ endpoint, keys, message, topic, vapid, contact, now }: PushMessage): OutboundRequest => {
  if (!/^[\w-]{1,32}$/.test(topic)) throw new RangeError(`${topic} is not a valid topic`)
  const headers = {
    authorization: authorizePush(endpoint, vapid, now, contact),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(daySeconds),
    topic,
    urgency: 'normal',
  }
  return { url: endpoint, headers, body: encryptPush(message, keys) }
}

/** The keys of a receiver of Web Push, as it registered them. */
export interface PushKeys {
  readonly p256dh: string
  readonly auth: string
}

/** The random values of one message. Tests pass those of the examples in the RFC. */
interface PushSecrets {
  readonly salt: Buffer
  /** A private key of the curve P-256. */
  readonly privateKey: Buffer
}

const recordBytes = 4096
/** A push service may reject longer messages (RFC 8030, 7.2), and the message has to fit into one record. */
const maxPlaintextBytes = recordBytes - 16 - 1 - 86

const deriveKey = (key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

const createSecrets = (): PushSecrets => {
  const own = createECDH('prime256v1')
  own.generateKeys()
  return { salt: randomBytes(16), privateKey: own.getPrivateKey() }
}

/**
 * Encrypts a message so that only the receiver can read it and the push service cannot. It uses the content coding
 * `aes128gcm` with one record (RFC 8291, RFC 8188).
 * @throws RangeError if the message is longer than `maxPlaintextBytes`, TypeError if the keys are invalid
 */
export const encryptPush = (message: string | Uint8Array, keys: PushKeys, secrets = createSecrets()): Buffer => {
  const [receiver, auth] = [readP256dh(keys.p256dh), readPushAuth(keys.auth)]
  if (receiver === undefined || auth === undefined) throw new TypeError('the keys of the Web Push receiver are invalid')
  const plain = Buffer.from(message)
  if (plain.length > maxPlaintextBytes) throw new RangeError(`a push message has at most ${maxPlaintextBytes} bytes`)
  const { salt, privateKey } = secrets
  const own = createECDH('prime256v1')
  own.setPrivateKey(privateKey)
  const sender = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const key = deriveKey(own.computeSecret(receiver), auth, info, 32)
  const contentKey = deriveKey(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = deriveKey(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  const lengths = Buffer.alloc(5)
  lengths.writeUInt32BE(recordBytes)
  lengths.writeUInt8(sender.length, 4)
  // The delimiter 2 marks the last record.
  const sealed = [cipher.update(plain), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, lengths, sender, ...sealed])
}

/** Browsers give base64url; pages that encode the keys themselves may give base64. Both may have padding. */
const decode = (text: string): Buffer | undefined =>
  /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined

const publicKeyBytes = 65
const authBytes = 16

const isOnCurve = (key: Buffer): boolean => {
  try {
    ECDH.convertKey(key, 'prime256v1')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_OPERATION_FAILED') return false
    throw error
  }
}

/** Reads the public key of a receiver, an uncompressed point of P-256 (RFC 8291, 3.1). Undefined if it is invalid. */
export const readP256dh = (text: string): Buffer | undefined => {
  const key = decode(text)
  return key?.length === publicKeyBytes && key[0] === 4 && isOnCurve(key) ? key : undefined
}

/** Reads the authentication secret of a receiver, 16 bytes (RFC 8291, 3.2). Undefined if it is invalid. */
export const readPushAuth = (text: string): Buffer | undefined => {
  const auth = decode(text)
  return auth?.length === authBytes ? auth : undefined
}

/**
 * The keys that identify this server to push services (VAPID, RFC 8292), as base64url: a point and a scalar of P-256.
 */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Creates VAPID keys. The caller stores them, because browsers bind each subscription to the public key. */
export const createVapidKeys = (): VapidKeys => {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // OpenSSL drops leading zero bytes; the key always has 32.
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

const tokenLifetimeSeconds = 12 * 60 * 60

/**
 * Creates the `Authorization` header that identifies this server to a push service (VAPID, RFC 8292). Its token is for
 * the origin of the endpoint and expires after 12 hours. `contact` is a `mailto:` or `https:` URI of the administrator;
 * some services require it. `now` is Unix time in milliseconds.
 */
export const authorizePush = (endpoint: string, keys: VapidKeys, now: number, contact?: string): string => {
  const expiresAt = Math.floor(now / 1000) + tokenLifetimeSeconds
  const claims = { aud: new URL(endpoint).origin, exp: expiresAt, ...(contact === undefined ? {} : { sub: contact }) }
  const content = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const key = { key: toKeyObject(keys), dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(content), key).toString('base64url')
  return `vapid t=${content}.${signature}, k=${keys.publicKey}`
}
