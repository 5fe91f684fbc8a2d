import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/** Derives a key for `sealJson` from a random secret. */
export const sealKeyOf = (secret: string): Buffer => hash('sha256', `seal ${secret}`, 'buffer')

/**
 * Encrypts a JSON value so that only holders of the key, 32 bytes, can read or create it (AES-256-GCM); returns
 * base64url. `purpose` binds the value to its use: `unsealJson` does not open a value that was sealed for another
 * purpose.
 */
export const sealJson = (key: Buffer, purpose: string, value: unknown): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts a value that was sealed with this key for this purpose; undefined for any other text. */
export const unsealJson = (key: Buffer, purpose: string, text: string): unknown => {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < 28) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(12, 28))
  const opened = decipher.update(bytes.subarray(28))
  try {
    decipher.final()
  } catch (error) {
    // The only error of final() here: the tag does not match key, purpose and bytes.
    if (error instanceof Error && error.message.includes('unable to authenticate')) return undefined
    throw error
  }
  return JSON.parse(opened.toString('utf8'))
}
