import type { LiveState, RefusedEdit, Replica, ThingVersion } from '../../client/src/index.ts'
import type { Drafts } from './drafts.ts'
import type { DeedKeeper } from './keep-deeds.ts'
import type { Observable } from './observable.ts'

/** What a person may be told of whether their things are safe. Times are in milliseconds since 1970. */
export interface AppState extends LiveState {
  /** Another tab holds the replica: this one shows nothing until it is closed. */
  readonly isElsewhere?: boolean
  /** The store of this browser takes nothing more, or may keep nothing: what is typed stays on the screen only. */
  readonly storeProblem?: 'full' | 'forbidden'
  /** Signed out here, but the server, which was not reached, still knows this browser. */
  readonly isLeaving?: boolean
  /** Milliseconds that the clock of this device is ahead of the server's, where it is off by more than some minutes. */
  readonly clockAhead?: number
  /** What the server does not take, with the reason; tried again by each sync. */
  readonly refused: readonly RefusedEdit[]
  /** What other devices have overwritten or deleted of what was typed here, as long as it is kept, the latest last. */
  readonly overwritten: readonly ThingVersion[]
}

/** An open account: what the screens are given, and all that they know of the outside. */
export interface OpenApp {
  readonly replica: Replica
  readonly state: Observable<AppState>
  /** Keeps what was done, so that it can be taken back in a later visit. */
  readonly deeds: DeedKeeper
  /** What is typed and not added or saved yet. */
  readonly drafts: Drafts
  /** Names the account. */
  readonly account: string
  /** The name of the store that holds the replica, for workers that read it. */
  readonly store: string
  /** Tries at once what waits. */
  readonly wake: () => void
  /**
   * Leads to the sign-in page; what waits is kept.
   * @throws ClientError `network`, `not_offered` where the server has no such page
   */
  readonly signIn: () => Promise<void>
  /** Does work in several steps that nothing may break off: the account is not closed before its end. */
  readonly hold: <T>(work: () => Promise<T>) => Promise<T>
  /** Ends the session, and that of this browser at the server's pages; with `forget` what this browser keeps goes, too. */
  readonly signOut: (options?: { readonly forget?: boolean }) => Promise<void>
}
