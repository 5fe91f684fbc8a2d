import type { Profile } from '../../src/result.ts'
import { type Behavior, rightServer } from '../server/behavior.ts'
import type { Account, ServerState } from '../server/state.ts'

/** A server that is as right as ours and differs from it. */
export interface LegalDifference {
  readonly id: string
  /** What it does, as a continuation of "a server that". */
  readonly title: string
  /** `full` agrees with the contract too; `core` only with the interface. */
  readonly profile: Profile
  /** Made anew for each server, so that it may remember. */
  readonly behavior: () => Partial<Behavior>
  readonly prepare?: (state: ServerState) => void
}

/** Makes a legal difference from one row of a table. */
export function legal(
  profile: Profile,
  id: string,
  title: string,
  behavior: LegalDifference['behavior'],
  prepare?: LegalDifference['prepare'],
): LegalDifference {
  return { id, title, profile, behavior, ...(prepare === undefined ? {} : { prepare }) }
}

/** Tag settings that were submitted are not repeated, unless somebody else set the tag after `from`. */
export const notReturningOwnTags: Partial<Behavior> = {
  returnsOwnTags: false,
  listsTag: (name, tag, of) =>
    rightServer.listsTag(name, tag, {
      ...of,
      ownTags: new Set([...of.ownTags].filter((own) => !of.sharedTags.has(own))),
    }),
}

/** Something done to each account before the first request. */
export function eachAccount(work: (account: Account) => void): (state: ServerState) => void {
  return ({ accounts }) => {
    for (const account of accounts.values()) work(account)
  }
}
