import type { FailureReason } from '../accounts/failed-attempt.ts'
import type { RefusalKind } from '../refused.ts'

/** What is counted while a server runs. Nothing here knows people: no names, no addresses, no ids. */
export interface Metrics {
  /** A request was answered, or broken off, which has no status when no answer was begun. */
  readonly noteRequest: (operation: string, status: number | undefined, seconds: number) => void
  readonly noteRefusal: (kind: RefusalKind) => void
  /** Somebody failed to sign in. */
  readonly noteFailedAttempt: (reason: FailureReason) => void
  /** A webhook or a push was sent, or could not be. */
  readonly noteDelivery: (outcome: DeliveryOutcome) => void
  /** Writes were made durable together. */
  readonly noteCommit: (writes: number, milliseconds: number) => void
  /** A backup on a schedule was made, or failed. */
  readonly noteBackup: (isMade: boolean) => void
  /** Tells where to ask for what is not counted but is; each may be told once. */
  readonly addGauges: (gauges: Gauges) => void
}

/** What became of something that was sent; `busy`: nothing was tried yet, because much is on its way there. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'busy'

/** What there is at the moment; asked for when somebody looks. */
export interface Gauges {
  /** Open connections of clients. */
  readonly connections?: () => number
  /** Requests that wait for changes: streams of events, and `wait`. */
  readonly listeners?: () => number
  /** Accounts in memory. */
  readonly openAccounts?: () => number
  /** Webhooks and devices that are still to be told something. */
  readonly errands?: () => Promise<number>
  /** Bytes of the journal on the disk. */
  readonly journalBytes?: () => Promise<number>
  /** When the certificate ends (Unix time in seconds). */
  readonly certificateEnds?: () => Promise<number>
}
