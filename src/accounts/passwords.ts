import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { createConcurrencyLimiter, loadOnce } from '../scheduling.ts'

/** The cost of a hash: memory in KiB, passes over it, and degree of parallelism. */
interface Argon2Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** Computes argon2id hashes as PHC strings: `$argon2id$v=19$m=…,t=…,p=…$salt$hash` (RFC 9106). */
interface Argon2 {
  readonly hash: (password: string, cost: Argon2Cost) => Promise<string>
  /** @throws Error when the PHC string is not one that `isCheckableHash` accepts */
  readonly verify: (phc: string, password: string) => Promise<boolean>
}

/** The parameters of `argon2` of `node:crypto`. */
interface Parameters {
  readonly message: string
  readonly nonce: Buffer
  readonly parallelism: number
  readonly tagLength: number
  readonly memory: number
  readonly passes: number
}

/** The part of `node:crypto` that exists from Node 24.7 on. */
interface Builtin {
  readonly argon2: (kind: 'argon2id', parameters: Parameters, done: (error: Error | null, tag: Buffer) => void) => void
  readonly argon2Sync: (kind: 'argon2id', parameters: Parameters) => Buffer
}

const [saltBytes, tagBytes] = [16, 32]
const phcForm = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z\d+/]{11,86})\$([A-Za-z\d+/]{22,86})$/

const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/**
 * The maximum cost of a hash that `verify` computes. A backup may contain any hash, and each sign-in pays its cost:
 * this maximum takes 128 MiB and about a second. The program itself creates hashes with a seventh of that memory.
 */
export const maxArgon2Cost: Argon2Cost = { memoryCost: 131_072, timeCost: 10, parallelism: 8 }

interface PhcParts {
  readonly cost: Argon2Cost
  readonly salt: Buffer
  readonly tag: Buffer
}

/** Parses a PHC string; undefined for another form, and for a cost outside the bounds (RFC 9106, 3.1). */
const parsePhc = (phc: string): PhcParts | undefined => {
  const [, memory, passes, threads, salt = '', tag = ''] = phcForm.exec(phc) ?? []
  const cost = { memoryCost: Number(memory), timeCost: Number(passes), parallelism: Number(threads) }
  const isWithin =
    cost.timeCost >= 1 &&
    cost.timeCost <= maxArgon2Cost.timeCost &&
    cost.parallelism >= 1 &&
    cost.parallelism <= maxArgon2Cost.parallelism &&
    cost.memoryCost >= 8 * cost.parallelism &&
    cost.memoryCost <= maxArgon2Cost.memoryCost
  // The last character of invalid base64 may have extra bits set, and the package rejects that.
  const isBase64 = [salt, tag].every((text) => toBase64(Buffer.from(text, 'base64')) === text)
  return isWithin && isBase64 ? { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') } : undefined
}

/** True for a hash that `verify` can compute: argon2id as a PHC string, with a cost up to `maxArgon2Cost`. */
export const isCheckableHash = (phc: string): boolean => parsePhc(phc) !== undefined

const requirePhc = (phc: string): PhcParts => {
  const parts = parsePhc(phc)
  if (parts === undefined) throw new Error('a stored password hash has an unknown form, or costs too much to check')
  return parts
}

/** Finds the argon2 of Node. Undefined before Node 24.7, and in a Node built with an OpenSSL before 3.2. */
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
      const { cost, salt: nonce, tag: expected } = requirePhc(phc)
      const { memoryCost: memory, timeCost: passes, parallelism } = cost
      const tag = await compute('argon2id', { message, nonce, tagLength: expected.length, memory, passes, parallelism })
      return crypto.timingSafeEqual(tag, expected)
    },
  }
}

/** Loads the argon2 of the package `@node-rs/argon2`. */
export const loadPackagedArgon2 = async (): Promise<Argon2> => {
  const { hash, verify } = await import('@node-rs/argon2')
  // The package uses argon2id by default.
  return {
    hash: (password, cost) => hash(password, { ...cost }),
    verify: async (phc, password) => {
      requirePhc(phc)
      return verify(phc, password)
    },
  }
}

/** Loads argon2: from Node where it has one, otherwise from the package. */
export const loadArgon2 = async (): Promise<Argon2> => findBuiltinArgon2() ?? (await loadPackagedArgon2())

/** A queue that runs one job at a time and is fair between owners. */
interface FairQueue {
  /**
   * Runs a job when it is the owner's turn (round-robin), so that an owner with many jobs delays another owner by one
   * job. When the queue is full, it rejects the newest job of the owner with the most jobs, with `createError`.
   * @throws what the job throws
   */
  readonly run: <T>(owner: string, job: () => Promise<T>) => Promise<T>
}

interface QueuedJob {
  readonly start: () => void
  readonly reject: () => void
}

/** Creates an empty queue in which at most `maxQueued` jobs wait. */
export const createFairQueue = (maxQueued: number, createError: () => Error): FairQueue => {
  // The owner whose turn is next comes first.
  const owners = new Map<string, QueuedJob[]>()
  let isRunning = false
  let queued = 0

  const startNext = (): void => {
    const [next] = owners
    if (next === undefined) {
      isRunning = false
      return
    }
    const [owner, jobs] = next
    owners.delete(owner)
    const first = jobs.shift()
    if (jobs.length > 0) owners.set(owner, jobs)
    queued--
    first?.start()
  }

  const freeSlot = (newOwner: string): boolean => {
    if (queued < maxQueued) return true
    const longest = [...owners].reduce((longer, other) => (other[1].length > longer[1].length ? other : longer))
    if (longest[1].length <= (owners.get(newOwner)?.length ?? 0) + 1) return false
    longest[1].pop()?.reject()
    queued--
    return true
  }

  const waitForTurn = (owner: string): Promise<void> => {
    if (!isRunning) {
      isRunning = true
      return Promise.resolve()
    }
    if (!freeSlot(owner)) return Promise.reject(createError())
    return new Promise((resolve, reject) => {
      queued++
      const jobs = owners.get(owner) ?? []
      jobs.push({ start: resolve, reject: () => reject(createError()) })
      owners.set(owner, jobs)
    })
  }

  return {
    run: async (owner, job) => {
      await waitForTurn(owner)
      try {
        return await job()
      } finally {
        startNext()
      }
    },
  }
}

// The minimum cost that OWASP recommends for argon2id.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Hashes share the thread pool of the process with file syncs: more than two at once would delay every commit.
const runLimited = createConcurrencyLimiter(2)

// Loaded with the first password: most starts of the program see none.
const findArgon2 = loadOnce(loadArgon2)

/** A hash that no password matches: for accounts without a password, and to spend the time of a check. */
export const nobodysPasswordHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Hashes a password with argon2id into a PHC string. Takes about 20 ms of one core; at most two hashes run at once. */
export const hashPassword = (password: string): Promise<string> =>
  runLimited(async () => (await findArgon2()).hash(password, cost))

/**
 * True when the password matches the hash. False without a hash (an unknown user), and for a hash that `verify` cannot
 * compute (`isCheckableHash`); that takes as long.
 */
export const verifyPassword = (password: string, passwordHash: string = nobodysPasswordHash): Promise<boolean> =>
  runLimited(async () => {
    const { verify } = await findArgon2()
    return verify(isCheckableHash(passwordHash) ? passwordHash : nobodysPasswordHash, password)
  })
