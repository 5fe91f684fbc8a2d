import { randomBytes } from 'node:crypto'

/** What the rules cannot know by themselves: the time and the unforeseeable. Tests give their own. */
export interface World {
  /** The time, in milliseconds since 1970. */
  readonly now: () => number
  /** An id that was never given before: letters and digits (interface 2.1, `_id`). */
  readonly newId: () => string
  /** A secret that nobody can guess: 32 random bytes as base64url, 43 characters. */
  readonly newSecret: () => string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 20
// Bytes from here on would make the first letters of the alphabet likelier than the others.
const firstUnevenByte = 256 - (256 % alphabet.length)

const newId = (): string => {
  let id = ''
  while (id.length < idLength) {
    for (const byte of randomBytes(idLength)) {
      if (byte < firstUnevenByte && id.length < idLength) id += alphabet[byte % alphabet.length]
    }
  }
  return id
}

/** The real world: the system's clock, ids of 20 random letters and digits (119 bits), secrets of 256 bits. */
export const systemWorld: World = {
  now: Date.now,
  newId,
  newSecret: () => randomBytes(32).toString('base64url'),
}
