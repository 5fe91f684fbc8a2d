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

/** What is told to a device. */
interface PushMessage {
  readonly endpoint: string
  readonly keys: PushKeys
  readonly message: string
  /** What waits for the device under the same topic is replaced: at most 32 letters, digits, `-` and `_` (RFC 8030, 5.4). */
  readonly topic: string
  readonly vapid: VapidKeys
  /** An address, `mailto:` or `https:`, by which the push service's people reach ours. */
  readonly contact?: string
  readonly now: number
}

const daySeconds = 24 * 60 * 60

/**
 * Makes the request that tells a device something: encrypted, with who sends it, kept by the push service for a day.
 * @throws RangeError when the message is too long or the topic none, TypeError when the keys are none
 */
export const createPush = ({ endpoint, keys, message, topic, vapid, contact, now }: PushMessage): OutboundRequest => {
  if (!/^[\w-]{1,32}$/.test(topic)) throw new RangeError(`${topic} is no topic`)
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

/** What is drawn for each message; the examples of the RFC have theirs. */
interface PushSecrets {
  readonly salt: Buffer
  /** Of P-256. */
  readonly privateKey: Buffer
}

const recordBytes = 4096
/** A push service need not take more (RFC 8030, 7.2), and all of it has to fit into one record. */
const maxPlaintextBytes = recordBytes - 16 - 1 - 86

const deriveKey = (key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

const drawSecrets = (): PushSecrets => {
  const own = createECDH('prime256v1')
  own.generateKeys()
  return { salt: randomBytes(16), privateKey: own.getPrivateKey() }
}

/**
 * Encrypts a message so that only its receiver reads it, and not the push service: the content coding `aes128gcm` in one
 * record (RFC 8291, RFC 8188).
 * @throws RangeError when the message is longer than a push service has to take, TypeError when the keys are none
 */
export const encryptPush = (message: string | Uint8Array, keys: PushKeys, secrets = drawSecrets()): Buffer => {
  const [receiver, auth] = [readP256dh(keys.p256dh), readPushAuth(keys.auth)]
  if (receiver === undefined || auth === undefined) throw new TypeError('these are no keys of a receiver of Web Push')
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
  // 2 says that this is the last record.
  const sealed = [cipher.update(plain), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, lengths, sender, ...sealed])
}

/** Browsers give base64url, or base64 when a page encoded the keys by itself; both with or without padding. */
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

/** The public key of a receiver of Web Push: an uncompressed point of P-256 (RFC 8291, 3.1). Undefined when it is none. */
export const readP256dh = (text: string): Buffer | undefined => {
  const key = decode(text)
  return key?.length === publicKeyBytes && key[0] === 4 && isOnCurve(key) ? key : undefined
}

/** The secret of a receiver of Web Push: 16 bytes (RFC 8291, 3.2). Undefined when it has more or fewer. */
export const readPushAuth = (text: string): Buffer | undefined => {
  const auth = decode(text)
  return auth?.length === authBytes ? auth : undefined
}

/** The keys by which a server is known to push services, as base64url: a point and a number of P-256. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Makes keys; they are kept, since browsers bind each registration to the public one. */
export const createVapidKeys = (): VapidKeys => {
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
