import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { createConcurrencyLimiter } from '../scheduling.ts'

/** What a hash costs: memory in KiB, passes over it, lanes. */
interface Argon2Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** Hashes with argon2id, as PHC strings: `$argon2id$v=19$m=…,t=…,p=…$salt$hash` (RFC 9106). */
interface Argon2 {
  readonly hash: (password: string, cost: Argon2Cost) => Promise<string>
  /** @throws when the PHC string is none that `isCheckableHash` takes */
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
const phcForm = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z\d+/]{11,86})\$([A-Za-z\d+/]{22,86})$/

const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/**
 * The largest cost of a hash that is computed, whoever made it. A backup may hold any hash, and each sign-in pays for it:
 * at this cost it takes 128 MiB and about a second. The program itself makes hashes of a seventh of that memory.
 */
export const maxArgon2Cost: Argon2Cost = { memoryCost: 131_072, timeCost: 10, parallelism: 8 }

interface PhcParts {
  readonly cost: Argon2Cost
  readonly salt: Buffer
  readonly tag: Buffer
}

/** The parts of a hash; undefined for another form, and for a cost outside of the bounds (RFC 9106, 3.1). */
const readPhc = (phc: string): PhcParts | undefined => {
  const [, memory, passes, lanes, salt = '', tag = ''] = phcForm.exec(phc) ?? []
  const cost = { memoryCost: Number(memory), timeCost: Number(passes), parallelism: Number(lanes) }
  const isWithin =
    cost.timeCost >= 1 &&
    cost.timeCost <= maxArgon2Cost.timeCost &&
    cost.parallelism >= 1 &&
    cost.parallelism <= maxArgon2Cost.parallelism &&
    cost.memoryCost >= 8 * cost.parallelism &&
    cost.memoryCost <= maxArgon2Cost.memoryCost
  // Text whose last letter has bits too many is no base64 of any bytes, and the package refuses it.
  const isText = [salt, tag].every((text) => toBase64(Buffer.from(text, 'base64')) === text)
  return isWithin && isText ? { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') } : undefined
}

/** True for a hash that `verify` computes: argon2id as a PHC string, of a cost up to `maxArgon2Cost`. */
export const isCheckableHash = (phc: string): boolean => readPhc(phc) !== undefined

const requirePhc = (phc: string): PhcParts => {
  const parts = readPhc(phc)
  if (parts === undefined) throw new Error('a password is kept in a form that is not known, or costs too much to check')
  return parts
}

/** The argon2 of Node, or undefined in one that has none (before 24.7, or built with an OpenSSL before 3.2). */
export const findBuiltinArgon2 = (): Argon2 | undefined => {
  if (!('argon2' in crypto)) return undefined
  const { argon2, argon2Sync } = crypto as unknown as Builtin
  const min = { message: '', nonce: Buffer.alloc(8), parallelism: 1, tagLength: 4, memory: 8, passes: 1 }
  try {
    argon2Sync('argon2id', min)
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
      const { cost, salt: nonce, tag: kept } = requirePhc(phc)
      const { memoryCost: memory, timeCost: passes, parallelism } = cost
      const tag = await compute('argon2id', { message, nonce, tagLength: kept.length, memory, passes, parallelism })
      return crypto.timingSafeEqual(tag, kept)
    },
  }
}

/** The same of the package `@node-rs/argon2`, which is loaded for it. */
export const loadPackagedArgon2 = async (): Promise<Argon2> => {
  const { hash, verify } = await import('@node-rs/argon2')
  // argon2id is its default, and the only one here.
  return {
    hash: (password, cost) => hash(password, { ...cost }),
    verify: async (phc, password) => {
      requirePhc(phc)
      return verify(phc, password)
    },
  }
}

/** The argon2 to be used: Node's own where there is one. */
export const loadArgon2 = async (): Promise<Argon2> => findBuiltinArgon2() ?? (await loadPackagedArgon2())

/** Work that waits for its turn, one piece at a time. */
interface FairQueue {
  /**
   * Runs the work when it is the owner's turn: owners take turns, so that one with much work delays another by one piece.
   * When all places to wait are taken, the newest work of the owner with the most is refused, by what `refuse` makes.
   * @throws what the work throws
   */
  readonly run: <T>(owner: string, work: () => Promise<T>) => Promise<T>
}

interface Waiting {
  readonly start: () => void
  readonly refuse: () => void
}

/** A queue in which nobody waits. */
export const createFairQueue = (places: number, refuse: () => Error): FairQueue => {
  // The owner whose turn is next stands first.
  const owners = new Map<string, Waiting[]>()
  let isRunning = false
  let waiting = 0

  const startNext = (): void => {
    const [next] = owners
    if (next === undefined) {
      isRunning = false
      return
    }
    const [owner, line] = next
    owners.delete(owner)
    const first = line.shift()
    if (line.length > 0) owners.set(owner, line)
    waiting--
    first?.start()
  }

  const makePlace = (newcomer: string): boolean => {
    if (waiting < places) return true
    const longest = [...owners].reduce((one, other) => (other[1].length > one[1].length ? other : one))
    if (longest[1].length <= (owners.get(newcomer)?.length ?? 0) + 1) return false
    longest[1].pop()?.refuse()
    waiting--
    return true
  }

  const takeTurn = (owner: string): Promise<void> => {
    if (!isRunning) {
      isRunning = true
      return Promise.resolve()
    }
    if (!makePlace(owner)) return Promise.reject(refuse())
    return new Promise((resolve, reject) => {
      waiting++
      const line = owners.get(owner) ?? []
      line.push({ start: resolve, refuse: () => reject(refuse()) })
      owners.set(owner, line)
    })
  }

  return {
    run: async (owner, work) => {
      await takeTurn(owner)
      try {
        return await work()
      } finally {
        startNext()
      }
    },
  }
}

// OWASP's least cost for argon2id.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Hashes run on the threads of the whole process that also sync files: more than two would hold up every commit.
const runLimited = createConcurrencyLimiter(2)

const argon2 = await loadArgon2()

/** A hash that no password has: for accounts that nobody may enter, and to spend the time of a check. */
export const nobodysPasswordHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Hashes a password with argon2id into a PHC string; about 20 ms of a core, two at once. */
export const hashPassword = (password: string): Promise<string> => runLimited(() => argon2.hash(password, cost))

/**
 * True when the password has this hash. Without a hash (an unknown user), and for a hash that is not computed
 * (`isCheckableHash`), it is false and takes as long.
 */
export const verifyPassword = (password: string, passwordHash: string = nobodysPasswordHash): Promise<boolean> =>
  runLimited(() => argon2.verify(isCheckableHash(passwordHash) ? passwordHash : nobodysPasswordHash, password))
