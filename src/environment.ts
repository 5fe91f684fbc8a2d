import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The clock and the randomness that the rules are given. Tests pass their own. */
export interface Environment {
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Creates an id that was never used before: letters and digits (interface 2.1, `_id`). */
  readonly newId: () => string
  /** Creates a secret: 32 random bytes as base64url, 43 characters. */
  readonly newSecret: () => string
}

const idAlphabet = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
const idLength = 20
// The letter of each byte. The last bytes have none, because they would make the first letters more likely than others.
const idLetters = Buffer.alloc(256 - (256 % idAlphabet.length), idAlphabet)

const randomPoolBytes = 4096

/** Creates a source of ids. It fetches many random bytes at a time: a few cost as much as many. */
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

/** The system's clock and randomness: ids of 20 random letters and digits (119 bits), secrets of 256 bits. */
export const systemEnvironment: Environment = {
  now: () => Date.now(),
  newId: createIdSource(),
  newSecret: () => randomBytes(32).toString('base64url'),
}

const { resolve } = createRequire(import.meta.url)

/** Finds a file or folder of this package by its path in it, both from the sources and from the bundled program. */
export const findPackageFile = (path: string): string => join(dirname(resolve('thingsync/package.json')), path)

/** Reads the version of this package. */
export const readVersion = (): string => JSON.parse(readFileSync(findPackageFile('package.json'), 'utf8')).version
