import type { Profile } from '../../result.ts'
import { type Behavior, rightServer } from '../behavior.ts'
import type { Account, ServerState } from '../state.ts'

/** A right server that differs from the server in `../server/`. */
export interface LegalDifference {
  readonly id: string
  /** The difference, as a continuation of "a server that". */
  readonly title: string
  /** `full`: also conforms to the contract; `core`: only to the interface. */
  readonly profile: Profile
  /** Creates the behavior for each server, so that it can have its own state. */
  readonly behavior: () => Partial<Behavior>
  readonly prepare?: (state: ServerState) => void
}

/** Creates a legal difference. */
export function legal(
  profile: Profile,
  id: string,
  title: string,
  behavior: LegalDifference['behavior'],
  prepare?: LegalDifference['prepare'],
): LegalDifference {
  return { id, title, profile, behavior, ...(prepare === undefined ? {} : { prepare }) }
}

/** Omits submitted tag settings from the response, unless another session set the tag after `from`. */
export const notReturningOwnTags: Partial<Behavior> = {
  returnsOwnTags: false,
  listsTag: (name, tag, of) =>
    rightServer.listsTag(name, tag, {
      ...of,
      ownTags: new Set([...of.ownTags].filter((own) => !of.sharedTags.has(own))),
    }),
}

/** Changes each account before the first request. */
export function eachAccount(work: (account: Account) => void): (state: ServerState) => void {
  return ({ accounts }) => {
    for (const account of accounts.values()) work(account)
  }
}
