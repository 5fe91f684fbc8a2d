import type { Reached } from './pinned-connection.ts'

/** What became of something that was sent. A reason is a sentence for the owner of the address. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nothing was tried: too much is on its way there. It may be tried again soon, and was no failure of the receiver. */
  | { readonly kind: 'busy'; readonly reason: string }

/** The one sentence for every address that is not allowed, so that it does not tell which names there are inside. */
export const refusedOutcome: Outcome = {
  kind: 'failed',
  reason:
    'Nothing was sent: the name is unknown, or leads to where this server may not deliver (its setting delivery_allow).',
}

/** Nothing was tried, because too much is on its way to the same place. */
export const busyOutcome: Outcome = { kind: 'busy', reason: 'Too many deliveries are on their way to this host.' }

const reasons: Record<Reached, string> = {
  nothing: 'No connection could be made.',
  socket: 'No secure connection could be made: the certificate or something else of TLS was not accepted.',
  receiver: 'The receiver gave no answer, or none in HTTP.',
}

/**
 * Why no answer came. Of what is not public there is one sentence for everything: who may name an address there must not
 * learn by it which machines and ports there are.
 */
export const describeFailure = (reached: Reached, isPublic: boolean): Outcome => ({
  kind: 'failed',
  reason: isPublic ? reasons[reached] : 'The receiver gave no answer.',
})
