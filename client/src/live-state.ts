import type { ReplicaSyncProgress } from './replica-sync.ts'

/**
 * How a live replica hears of what others change:
 * - `connecting`: not at all yet, or not any more; `nextTryAt` and `lastError` say more.
 * - `live`: the server says so at once, by `sync/events`.
 * - `waiting`: the same by requests whose answers the server holds back, where events do not come through.
 * - `polling`: it asks now and then; the server, or something before it, can do neither.
 * - `offline`: the server is not reached; edits wait in the local store.
 * - `signed_out`: the session has ended; edits are kept, and go on once somebody has signed in again.
 * - `stopped`: by `stop`.
 */
export type LiveStatus = 'connecting' | 'live' | 'waiting' | 'polling' | 'offline' | 'signed_out' | 'stopped'

/** What a person may want to know of a live replica. Times are in milliseconds since 1970. */
export interface LiveState {
  readonly status: LiveStatus
  /** Things and tags with edits that the server has not confirmed. */
  readonly pending: number
  /** How far the sync has come that runs now. */
  readonly progress: ReplicaSyncProgress | undefined
  /** When the last sync ended well. */
  readonly syncedAt: number | undefined
  /** When the server is asked next, while nothing is under way. */
  readonly nextTryAt: number | undefined
  /** What went wrong last; undefined again after a sync that ended well. */
  readonly lastError: unknown
}

/** Keeps the state and tells each change of it. */
export interface StateBoard {
  readonly read: () => LiveState
  readonly set: (part: Partial<LiveState>) => void
}

/** A board; the listener is told later, so that its errors are the program's and not those of a sync. */
export const createStateBoard = (first: LiveState, listener: ((state: LiveState) => void) | undefined): StateBoard => {
  let state = first
  return {
    read: () => state,
    set: (part) => {
      const next = { ...state, ...part }
      const names = Object.keys(next) as (keyof LiveState)[]
      if (names.every((name) => next[name] === state[name])) return
      state = next
      if (listener !== undefined) queueMicrotask(() => listener(next))
    },
  }
}
