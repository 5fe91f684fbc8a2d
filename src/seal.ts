import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/** A key of its own for sealing, made of a secret that nobody can guess. */
export const sealKeyOf = (secret: string): Buffer => hash('sha256', `seal ${secret}`, 'buffer')

/**
 * Encrypts a JSON value so that only holders of the key, 32 bytes, can read or make it (AES-256-GCM); base64url. `purpose`
 * binds it to its place: what was sealed for another one is not opened.
 */
export const sealJson = (key: Buffer, purpose: string, value: unknown): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** The value that was sealed with this key for this purpose, or undefined. */
export const unsealJson = (key: Buffer, purpose: string, text: string): unknown => {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < 28) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(12, 28))
  const opened = decipher.update(bytes.subarray(28))
  try {
    decipher.final()
  } catch (error) {
    // The one thing that final() reports here: the tag does not fit key, purpose and bytes.
    if (error instanceof Error && error.message.includes('unable to authenticate')) return undefined
    throw error
  }
  return JSON.parse(opened.toString('utf8'))
}
