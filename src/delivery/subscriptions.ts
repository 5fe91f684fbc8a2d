import { ApiError } from '../api-error.ts'
import { checkUrl, type DeliveryRules } from '../outbound/address-guard.ts'
import { readP256dh, readPushAuth } from '../outbound/web-push.ts'
import type { Json } from '../store/model.ts'
import type { Draft, View } from '../store/store.ts'

/** Whatever lists records. */
export type RecordReader = Pick<View, 'listRecords'>

/** The only group that records of delivery have. */
export const recordGroup = 'all'

/** The key of a record, of what names it. */
export const recordKeyOf = (...parts: readonly string[]): string => JSON.stringify(parts)

/** Records of delivery with their keys. Only this room writes them, so they hold what was put in. */
export const listKeyed = async <T extends Json>(reader: RecordReader, kind: string): Promise<ReadonlyMap<string, T>> =>
  (await reader.listRecords(kind, recordGroup)) as ReadonlyMap<string, T>

/** The same record without some of its fields. */
export const dropFields = <T extends object, K extends keyof T>(record: T, ...names: readonly K[]): Omit<T, K> => {
  const rest = { ...record }
  for (const name of names) delete rest[name]
  return rest
}

/** A receiver that did not take what it was sent, as its owner is shown. */
export type Failure = {
  /** Unix time in seconds. */
  readonly at: number
  readonly reason: string
  /** Status of its answer, when there was one. */
  readonly status?: number
}

/**
 * Has something told as soon as may be. An errand that waits for its time is left alone: it tells this as well. One that
 * is due, and perhaps under way, is moved by a millisecond, which shows its teller that there is something newer.
 */
export const scheduleDelivery = async (draft: Draft, key: string, now: number, notBefore = 0): Promise<void> => {
  const dueAt = (await draft.listOutboxEntries()).get(key)
  if (dueAt === undefined) await draft.putOutboxEntry(key, Math.max(now, notBefore))
  else if (dueAt <= now) await draft.putOutboxEntry(key, dueAt + 1)
}

/** Has something told now, also where it waits for its time; the same for what is under way. */
export const scheduleDeliveryNow = async (draft: Draft, key: string, now: number): Promise<void> => {
  const dueAt = (await draft.listOutboxEntries()).get(key)
  await draft.putOutboxEntry(key, dueAt === undefined || dueAt > now ? now : dueAt + 1)
}

/** @throws ApiError `parameterInvalid` when there is a fault */
export const rejectFault = (parameter: string, fault: string | undefined): void => {
  if (fault !== undefined) throw new ApiError('parameterInvalid', { parameter, reason: fault })
}

/** Judges what a client names to be called: what is wrong with it, as the end of a sentence, or undefined. */
export interface SubscriptionGuard {
  /** An address to send to. */
  readonly findUrlFault: (address: string) => string | undefined
  /** The public key of a browser or a phone (RFC 8291). */
  readonly findP256dhFault: (p256dh: string) => string | undefined
  /** The secret that it shares with whom it lets send (RFC 8291). */
  readonly findAuthFault: (auth: string) => string | undefined
}

/** Makes what judges webhooks and devices when they are registered: what is wrong, as the end of a sentence. */
export const createSubscriptionGuard = (rules: DeliveryRules) => ({
  findUrlFault: (address: string): string | undefined => {
    const verdict = checkUrl(address, rules)
    return verdict.kind === 'refused' ? verdict.reason : undefined
  },
  findP256dhFault: (p256dh: string): string | undefined =>
    readP256dh(p256dh) ? undefined : 'must be a point of the curve P-256, uncompressed, as base64url',
  findAuthFault: (auth: string): string | undefined =>
    readPushAuth(auth) ? undefined : 'must be 16 bytes as base64url',
})
