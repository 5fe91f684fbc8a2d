import { Refused } from '../refused.ts'
import type { Json } from '../store/model.ts'
import type { Draft, View } from '../store/store.ts'

/** Whatever lists records. */
export type RecordReader = Pick<View, 'listRecords'>

/** The only group that records of delivery have. */
export const all = 'all'

/** The key of a record, of what names it. */
export const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts)

/** Records of delivery with their keys. Only this room writes them, so they hold what was put in. */
export const listKeyed = async <T extends Json>(reader: RecordReader, kind: string): Promise<ReadonlyMap<string, T>> =>
  (await reader.listRecords(kind, all)) as ReadonlyMap<string, T>

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
export const arm = async (draft: Draft, key: string, now: number, notBefore = 0): Promise<void> => {
  const dueAt = (await draft.listErrands()).get(key)
  if (dueAt === undefined) await draft.putErrand(key, Math.max(now, notBefore))
  else if (dueAt <= now) await draft.putErrand(key, dueAt + 1)
}

/** Has something told now, also where it waits for its time; the same for what is under way. */
export const armNow = async (draft: Draft, key: string, now: number): Promise<void> => {
  const dueAt = (await draft.listErrands()).get(key)
  await draft.putErrand(key, dueAt === undefined || dueAt > now ? now : dueAt + 1)
}

/** @throws Refused `parameterInvalid` when there is a fault */
export const refuseFault = (parameter: string, fault: string | undefined): void => {
  if (fault !== undefined) throw new Refused('parameterInvalid', { parameter, reason: fault })
}
