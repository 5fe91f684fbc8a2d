import { ECDH } from 'node:crypto'

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
