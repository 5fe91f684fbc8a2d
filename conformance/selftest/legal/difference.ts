import type { Profile } from '../../src/levels.ts'
import { type Behaviour, right } from '../server/behaviour.ts'
import type { Account, World } from '../server/world.ts'

/** A server that is as right as ours and differs from it. */
export interface LegalDifference {
  readonly id: string
  /** What it does, as a continuation of "a server that". */
  readonly title: string
  /** `full` agrees with the contract too; `core` only with the interface. */
  readonly profile: Profile
  /** Made anew for each server, so that it may remember. */
  readonly behaviour: () => Partial<Behaviour>
  readonly prepare?: (world: World) => void
}

/** Makes a legal difference from one row of a table. */
export function legal(
  profile: Profile,
  id: string,
  title: string,
  behaviour: LegalDifference['behaviour'],
  prepare?: LegalDifference['prepare'],
): LegalDifference {
  return { id, title, profile, behaviour, ...(prepare === undefined ? {} : { prepare }) }
}

/** Tag settings that were submitted are not repeated, unless somebody else set the tag after `from`. */
export const notAnsweringOwnTags: Partial<Behaviour> = {
  answersOwnTags: false,
  listsTag: (name, tag, of) =>
    right.listsTag(name, tag, { ...of, ownTags: new Set([...of.ownTags].filter((own) => !of.sharedTags.has(own))) }),
}

/** Something done to each account before the first request. */
export function eachAccount(work: (account: Account) => void): (world: World) => void {
  return ({ accounts }) => {
    for (const account of accounts.values()) work(account)
  }
}
