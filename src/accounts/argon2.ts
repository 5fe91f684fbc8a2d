import * as crypto from 'node:crypto'
import { promisify } from 'node:util'

/** What a hash costs: memory in KiB, passes over it, lanes. */
export interface Argon2Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** Hashes with argon2id, as PHC strings: `$argon2id$v=19$m=…,t=…,p=…$salt$hash` (RFC 9106). */
export interface Argon2 {
  readonly hash: (password: string, cost: Argon2Cost) => Promise<string>
  /** @throws when the PHC string is none */
  readonly verify: (phc: string, password: string) => Promise<boolean>
}

/** What `argon2` of `node:crypto` takes. */
interface Parameters {
  readonly message: string
  readonly nonce: Buffer
  readonly parallelism: number
  readonly tagLength: number
  readonly memory: number
  readonly passes: number
}

/** What Node has from 24.7 on. */
interface Builtin {
  readonly argon2: (kind: 'argon2id', parameters: Parameters, done: (error: Error | null, tag: Buffer) => void) => void
  readonly argon2Sync: (kind: 'argon2id', parameters: Parameters) => Buffer
}

const [saltBytes, tagBytes] = [16, 32]
const phcForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** The argon2 of Node, or undefined in one that has none (before 24.7, or built with an OpenSSL before 3.2). */
export const findBuiltinArgon2 = (): Argon2 | undefined => {
  if (!('argon2' in crypto)) return undefined
  const { argon2, argon2Sync } = crypto as unknown as Builtin
  const least = { message: '', nonce: Buffer.alloc(8), parallelism: 1, tagLength: 4, memory: 8, passes: 1 }
  try {
    argon2Sync('argon2id', least)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED') return undefined
    throw error
  }
  const compute = promisify(argon2)
  return {
    hash: async (message, { memoryCost: memory, timeCost: passes, parallelism }) => {
      const nonce = crypto.randomBytes(saltBytes)
      const tag = await compute('argon2id', { message, nonce, parallelism, tagLength: tagBytes, memory, passes })
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(nonce)}$${toBase64(tag)}`
    },
    verify: async (phc, message) => {
      const [, memory, passes, parallelism, salt = '', hash = ''] = phcForm.exec(phc) ?? []
      if (memory === undefined) throw new Error('a password is kept in a form that is not known')
      const nonce = Buffer.from(salt, 'base64')
      const kept = Buffer.from(hash, 'base64')
      const cost = { parallelism: Number(parallelism), memory: Number(memory), passes: Number(passes) }
      const tag = await compute('argon2id', { message, nonce, tagLength: kept.length, ...cost })
      return crypto.timingSafeEqual(tag, kept)
    },
  }
}

/** The same of the package `@node-rs/argon2`, which is loaded for it. */
export const loadPackagedArgon2 = async (): Promise<Argon2> => {
  const { hash, verify } = await import('@node-rs/argon2')
  // argon2id is its default, and the only one here.
  return { hash: (password, cost) => hash(password, { ...cost }), verify }
}

/** The argon2 to be used: Node's own where there is one. */
export const loadArgon2 = async (): Promise<Argon2> => findBuiltinArgon2() ?? (await loadPackagedArgon2())
