import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** What the rules cannot know by themselves: the time and the unforeseeable. Tests give their own. */
export interface Environment {
  /** The time, in milliseconds since 1970. */
  readonly now: () => number
  /** An id that was never given before: letters and digits (interface 2.1, `_id`). */
  readonly newId: () => string
  /** A secret that nobody can guess: 32 random bytes as base64url, 43 characters. */
  readonly newSecret: () => string
}

const idAlphabet = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
const idLength = 20
// The letter of each byte; none of the last ones, which would make the first letters likelier than the others.
const idLetters = Buffer.alloc(256 - (256 % idAlphabet.length), idAlphabet)

const randomPoolBytes = 4096

/** Makes ids of random bytes that are fetched many at a time: asking the system for a few costs as much as for many. */
const createIdSource = (): (() => string) => {
  const letters = Buffer.alloc(idLength)
  let pool = Buffer.alloc(0)
  let used = 0
  return () => {
    for (let length = 0; length < idLength; used++) {
      if (used === pool.length) {
        pool = randomBytes(randomPoolBytes)
        used = 0
      }
      const letter = idLetters[pool[used] as number]
      if (letter !== undefined) letters[length++] = letter
    }
    return letters.toString('latin1')
  }
}

/** The real world: the system's clock, ids of 20 random letters and digits (119 bits), secrets of 256 bits. */
export const systemEnvironment: Environment = {
  now: () => Date.now(),
  newId: createIdSource(),
  newSecret: () => randomBytes(32).toString('base64url'),
}

const { resolve } = createRequire(import.meta.url)

/** The version of this package. */
export const readVersion = (): string => JSON.parse(readFileSync(resolve('thingsync/package.json'), 'utf8')).version
