import { type JsonLimits, usualJsonLimits } from '../wire/check-json.ts'

/**
 * What requests may be and may hold, so that a stranger costs little and nobody stops the others (contract, the access
 * token; order of judging). The one table of these figures; `docs/operations.md` shows it to those who run a server.
 */
export interface Limits extends JsonLimits {
  /** Bytes of a body. Beyond: 413. */
  readonly maxBodyBytes: number
  /** Fields of a form. Beyond: 413. */
  readonly formFields: number
  /** Bytes of a body of /token and /revoke, whose sender is never known before it is read. Beyond: 413. */
  readonly grantBodyBytes: number
  /** Fields of such a body. Beyond: 413. */
  readonly grantFields: number
  /** Bytes of a JSON body with the access token in it. Beyond: 413. */
  readonly unknownJsonBytes: number
  /** Bytes of a form up to the end of the access token in it. Beyond: 413. */
  readonly unknownFormBytes: number
  /** Bytes of all bodies under way whose sender is not known yet, in the process. Beyond: 429. */
  readonly unknownBytes: number
  /** The same from one address. Beyond: 429. */
  readonly unknownBytesPerAddress: number
  /** Seconds in which such a body is safe from those who find no room, unless its address holds more than theirs. */
  readonly unknownSafeSeconds: number
  /** Bytes a second of all bodies whose sender is not known yet, or that are refused; more of them rest. */
  readonly unknownBytesPerSecond: number
  /** Bytes of long bodies that are decoded and worked on at a time, a larger one alone; more of them wait. */
  readonly longBytesAtOnce: number
  /** Bytes of one user's bodies under way, each until its request is answered. Beyond: 429. */
  readonly userBytes: number
  /** Requests of one session that wait for changes, of both kinds together. Beyond: 429. */
  readonly waitingPerSession: number
  /** Seconds after which a silent stream of events gets a comment, and within which an ended token is noticed there. */
  readonly commentSeconds: number
  /** Bytes of a refused body that are received and dropped before its connection is closed. */
  readonly droppedBytes: number
}

const KiB = 1024
const MiB = 1024 * KiB

/** The limits of a server; what depends on the largest body is made of it unless it is given. */
export const createLimits = ({ maxBodyBytes = 32 * MiB, ...given }: Partial<Limits> = {}): Limits => ({
  ...usualJsonLimits,
  maxBodyBytes,
  // 100,000 ids, 10,000 tags, and what else there is.
  formFields: 120_000,
  grantBodyBytes: Math.min(64 * KiB, maxBodyBytes),
  grantFields: 100,
  unknownJsonBytes: Math.min(64 * KiB, maxBodyBytes),
  unknownFormBytes: Math.min(32 * MiB, maxBodyBytes),
  unknownBytes: 64 * MiB,
  unknownBytesPerAddress: 32 * MiB,
  unknownSafeSeconds: 5,
  unknownBytesPerSecond: 32 * MiB,
  longBytesAtOnce: 4 * MiB,
  userBytes: 4 * maxBodyBytes,
  waitingPerSession: 10,
  commentSeconds: 25,
  droppedBytes: 64 * MiB,
  ...given,
})
