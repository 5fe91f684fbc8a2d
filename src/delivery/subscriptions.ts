import { ApiError } from '../api-error.ts'
import { checkUrl, type DeliveryRules } from '../outbound/address-guard.ts'
import { readP256dh, readPushAuth } from '../outbound/web-push.ts'
import type { Json } from '../store/model.ts'
import type { Draft, View } from '../store/store.ts'

/** The part of a view or draft that lists records. */
export type RecordReader = Pick<View, 'listRecords'>

/** The group of all delivery records. */
export const recordGroup = 'all'

/** Builds the key of a record from the values that identify it. */
export const recordKeyOf = (...parts: readonly string[]): string => JSON.stringify(parts)

/** Lists the delivery records of a kind by key. Only this folder writes them, so the cast to `T` is safe. */
export const listKeyed = async <T extends Json>(reader: RecordReader, kind: string): Promise<ReadonlyMap<string, T>> =>
  (await reader.listRecords(kind, recordGroup)) as ReadonlyMap<string, T>

/** Copies a record without some of its fields. */
export const dropFields = <T extends object, K extends keyof T>(record: T, ...names: readonly K[]): Omit<T, K> => {
  const rest = { ...record }
  for (const name of names) delete rest[name]
  return rest
}

/** The last failed delivery, as the user sees it. */
export type Failure = {
  /** Unix time in seconds. */
  readonly at: number
  readonly reason: string
  /** HTTP status of the response, if there was one. */
  readonly status?: number
}

/**
 * Schedules a delivery as soon as possible, but not before `notBefore`; both times are Unix time in milliseconds. An
 * outbox entry that is not due yet stays unchanged: its delivery covers the new change too. An entry that is due may be
 * in progress. Its time moves by a millisecond, so that the dispatcher sees that there is a newer change.
 */
export const scheduleDelivery = async (draft: Draft, key: string, now: number, notBefore = 0): Promise<void> => {
  const dueAt = (await draft.listOutboxEntries()).get(key)
  if (dueAt === undefined) await draft.putOutboxEntry(key, Math.max(now, notBefore))
  else if (dueAt <= now) await draft.putOutboxEntry(key, dueAt + 1)
}

/** Schedules a delivery now, even if its outbox entry is not due yet. An entry that is due moves by a millisecond. */
export const scheduleDeliveryNow = async (draft: Draft, key: string, now: number): Promise<void> => {
  const dueAt = (await draft.listOutboxEntries()).get(key)
  await draft.putOutboxEntry(key, dueAt === undefined || dueAt > now ? now : dueAt + 1)
}

/**
 * Throws if a parameter has a fault.
 * @throws ApiError `parameterInvalid` with the fault as its reason
 */
export const rejectFault = (parameter: string, fault: string | undefined): void => {
  if (fault !== undefined) throw new ApiError('parameterInvalid', { parameter, reason: fault })
}

/**
 * Validates the parameters of a subscription. Each function returns the fault as the end of a sentence, or undefined.
 */
export interface SubscriptionGuard {
  /** Checks the URL of a receiver. */
  readonly findUrlFault: (url: string) => string | undefined
  /** Checks the public key of a device (RFC 8291). */
  readonly findP256dhFault: (p256dh: string) => string | undefined
  /** Checks the authentication secret of a device (RFC 8291). */
  readonly findAuthFault: (auth: string) => string | undefined
}

/** Creates the guard that validates webhooks and devices when they are registered. */
export const createSubscriptionGuard = (rules: DeliveryRules) => ({
  findUrlFault: (url: string): string | undefined => {
    const result = checkUrl(url, rules)
    return result.kind === 'blocked' ? result.reason : undefined
  },
  findP256dhFault: (p256dh: string): string | undefined =>
    readP256dh(p256dh) ? undefined : 'must be a point of the curve P-256, uncompressed, as base64url',
  findAuthFault: (auth: string): string | undefined =>
    readPushAuth(auth) ? undefined : 'must be 16 bytes as base64url',
})
