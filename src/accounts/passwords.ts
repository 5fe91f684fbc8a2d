import { createRunLimited } from '../run-limited.ts'
import { isCheckableHash, loadArgon2 } from './argon2.ts'

// OWASP's least cost for argon2id.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Hashes run on the threads of the whole process that also sync files: more than two would hold up every commit.
const runLimited = createRunLimited(2)

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
