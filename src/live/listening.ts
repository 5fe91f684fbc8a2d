import type { Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { Presence } from '../wire/events.ts'
import type { RunSoon } from './run-soon.ts'
import type { Seats } from './seats.ts'
import type { Wheel } from './wheel.ts'

/** Who wants to hear of changes, by which token, and whether it is still there. */
export interface Listener {
  readonly session: Pick<Session, 'id' | 'userId'>
  readonly accessToken: string
  readonly presence: Presence
}

/** What all who listen share. */
export interface Listening {
  readonly store: Store
  readonly seats: Seats
  readonly wheel: Wheel
  readonly runSoon: RunSoon
  /** Whether the token with this hash still works. */
  readonly isValid: (accessHash: string) => Promise<boolean>
}

/** Calls `leave` when the answer is over, however it ends. */
export const whenGone = (presence: Presence, leave: () => void): void => {
  if (presence.closed) leave()
  else presence.once('close', leave)
}
