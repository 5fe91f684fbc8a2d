import type { RawRequest, Reply } from '../client.ts'

/** A mistake of which others follow: seen in what passes during the whole run, and told before all that follows. */
export interface Mistake {
  readonly id: string
  /** What the server does wrong, as the heading of what follows from it. */
  readonly sentence: string
  /** Ids of the rules that no server with this mistake can keep, the one that shows it best first. */
  readonly follows: readonly string[]
  readonly watch: () => Watch
}

/** Looks on during one run. */
export interface Watch {
  /** Takes a request before it is sent. */
  readonly noteSending: (user: number, request: RawRequest) => void
  /** Takes a request and its answer. */
  readonly note: (user: number, request: RawRequest, reply: Reply) => void
  /** Whether the mistake was surely seen. */
  readonly isSeen: () => boolean
}
