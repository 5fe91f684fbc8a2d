import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { readP256dh, readPushAuth } from './push-keys.ts'

/** The keys of a receiver of Web Push, as it registered them. */
export interface PushKeys {
  readonly p256dh: string
  readonly auth: string
}

/** What is drawn for each message; the examples of the RFC have theirs. */
export interface PushSecrets {
  readonly salt: Buffer
  /** Of P-256. */
  readonly privateKey: Buffer
}

const recordBytes = 4096
/** A push service need not take more (RFC 8030, 7.2), and all of it has to fit into one record. */
const mostPlainBytes = recordBytes - 16 - 1 - 86

const derive = (key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
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
  if (plain.length > mostPlainBytes) throw new RangeError(`a push message has at most ${mostPlainBytes} bytes`)
  const { salt, privateKey } = secrets
  const own = createECDH('prime256v1')
  own.setPrivateKey(privateKey)
  const sender = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const key = derive(own.computeSecret(receiver), auth, info, 32)
  const contentKey = derive(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  const lengths = Buffer.alloc(5)
  lengths.writeUInt32BE(recordBytes)
  lengths.writeUInt8(sender.length, 4)
  // 2 says that this is the last record.
  const sealed = [cipher.update(plain), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, lengths, sender, ...sealed])
}
