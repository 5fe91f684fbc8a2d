import assert from 'node:assert/strict'
import type { WriterLine } from './killed-writer.ts'

/** How many writes to one account may be on their way at once. */
const writesAtOnce = 2

interface KnownAccount {
  count: number
  /** The attempt that got each position. */
  readonly attempts: Map<number, string>
  removal: 'none' | 'requested' | 'resolved'
}

/** The writes that a store acknowledged over all its restarts, and must therefore still hold. */
export interface AcknowledgedWrites {
  /** Notes a line of the next run. @throws AssertionError when it breaks the promise */
  readonly note: (line: WriterLine) => void
  readonly count: () => number
}

/** Creates an empty record of acknowledged writes. */
export const createAcknowledgedWrites = (): AcknowledgedWrites => {
  const accounts = new Map<string, KnownAccount>()
  let users = 0
  let acknowledged = 0

  const accountOf = (userId: string): KnownAccount => {
    const account = accounts.get(userId) ?? { count: 0, attempts: new Map(), removal: 'none' as const }
    accounts.set(userId, account)
    return account
  }

  const noteGiven = (account: KnownAccount, position: number, attempt: string): void => {
    const before = account.attempts.get(position)
    assert.ok(before === undefined || before === attempt, `position ${position} was given to ${before} and ${attempt}`)
    account.attempts.set(position, attempt)
  }

  const noteFound = (userId: string, count: number, position: number, attempts: readonly string[]): void => {
    const account = accountOf(userId)
    if (account.removal === 'resolved' || (account.removal === 'requested' && count === 0)) {
      assert.equal(count, 0, `${userId} was removed and has come back`)
      return
    }
    assert.ok(count >= account.count, `${userId} has ${count} writes, ${account.count} were acknowledged`)
    assert.ok(
      count <= account.count + writesAtOnce,
      `${userId} has ${count} writes, only ${account.count} were acknowledged`,
    )
    account.count = count
    if (count > 0) noteGiven(account, position, attempts.at(-1) ?? '')
  }

  const note = (line: WriterLine): void => {
    if ('damaged' in line) assert.fail(`the store calls a file damaged: ${line.damaged}`)
    if ('found' in line) noteFound(line.found, line.count, line.position, line.attempts)
    if ('foundUsers' in line) {
      assert.ok(line.foundUsers >= users && line.foundUsers <= users + 1, `${line.foundUsers} users, not ${users}`)
      users = line.foundUsers
    }
    if ('removing' in line) accountOf(line.removing).removal = 'requested'
    if ('removed' in line) accountOf(line.removed).removal = 'resolved'
    if ('addedUser' in line) users = line.addedUser
    if ('wrote' in line) {
      const account = accountOf(line.wrote)
      account.count = Math.max(account.count, line.count)
      noteGiven(account, line.position, line.attempt)
    }
    if ('wrote' in line || 'addedUser' in line || 'removed' in line) acknowledged += 1
  }

  return { note, count: () => acknowledged }
}
