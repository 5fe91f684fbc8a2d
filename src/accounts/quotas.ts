import { ApiError } from '../api-error.ts'
import type { Quota, User } from '../store/registry/registry.ts'
import type { Store, TagUsage, Usage } from '../store/store.ts'
import { findNamedUser } from './users.ts'

/** The quotas of users without a quota of their own; null is no limit. */
export type QuotaForAll = Required<Quota>

/** No limits. */
export const noQuotas: QuotaForAll = { things: null, bytes: null, tags: null, hooks: null }

/** The default maximum number of tags with settings of a user. */
const defaultTagQuota = 10_000

/** The quotas of a server without settings of quotas. */
export const defaultQuotas: QuotaForAll = { ...noQuotas, tags: defaultTagQuota }

/** The settings of quotas of a server or a command; undefined means the default. */
export interface QuotaSettings {
  readonly quotaThings?: number | undefined
  readonly quotaBytes?: number | undefined
  readonly quotaTags?: number | undefined
  readonly quotaHooks?: number | undefined
}

/** Reads the quotas for all users from the settings. */
export const readQuotas = ({ quotaThings, quotaBytes, quotaTags, quotaHooks }: QuotaSettings): QuotaForAll => ({
  things: quotaThings ?? null,
  bytes: quotaBytes ?? null,
  tags: quotaTags ?? defaultTagQuota,
  hooks: quotaHooks ?? null,
})

/** Finds the quotas of a user: each is the user's own where one is set, otherwise the quota for all. */
export const findQuota = (user: Pick<User, 'quota'> | undefined, forAll: QuotaForAll): QuotaForAll => ({
  ...forAll,
  ...user?.quota,
})

const toStoredQuota = (value: QuotaValue): number | null | undefined => {
  if (value === 'default') return undefined
  return value === 'none' ? null : value
}

/**
 * Changes the own quotas of a user. Data above a new quota stays. Returns the changed user.
 * @throws AccountError when there is no such user
 */
export const changeQuota = (store: Pick<Store, 'registry'>, name: string, change: QuotaChange): Promise<User> =>
  store.registry.change(async (registry) => {
    const { quota: previous, ...user } = await findNamedUser(registry, name)
    const changes = Object.entries(change).map(([key, value]) => [key, toStoredQuota(value)] as const)
    const all = Object.entries({ ...previous, ...Object.fromEntries(changes) })
    const quota: Quota = Object.fromEntries(all.filter(([, max]) => max !== undefined))
    const changed = Object.keys(quota).length === 0 ? user : { ...user, quota }
    await registry.put('users', changed)
    return changed
  })

const exceeds = (max: number | null, before: number, after: number): boolean =>
  max !== null && after > max && after > before

const rejectExcess = ({ things, bytes }: QuotaForAll, before: Usage, after: Usage): void => {
  if (exceeds(things, before.things, after.things)) throw new ApiError('thingQuota', { max: Number(things) })
  if (exceeds(bytes, before.bytes, after.bytes)) throw new ApiError('byteQuota', { max: Number(bytes) })
}

/**
 * Limits new names of tags. They may not raise the number of tags with settings above the quota. They are also rejected
 * while more tags than the quota have cleared settings. So an account has at most twice the quota of names. A change of
 * an existing name is always allowed.
 */
const rejectTagExcess = ({ tags: max }: QuotaForAll, before: TagUsage, after: TagUsage): void => {
  if (max === null) return
  if (exceeds(max, before.tags, after.tags)) throw new ApiError('tagQuota', { max })
  const hasNewNames = after.tags + after.clearedTags > before.tags + before.clearedTags
  if (hasNewNames && after.clearedTags > max) throw new ApiError('clearedTagQuota', { max })
}

/** Describes, in sentences, each quota that a user exceeds. */
export const describeExcess = (
  { name, quota: own }: Pick<User, 'name' | 'quota'>,
  usage: Usage,
  forAll: QuotaForAll,
): readonly string[] => {
  const quota = findQuota(own === undefined ? undefined : { quota: own }, forAll)
  return (['things', 'bytes', 'tags'] as const).flatMap((kind) => {
    const max = quota[kind]
    if (max === null || usage[kind] <= max) return []
    return [`${name} has ${usage[kind]} ${measures[kind]} and a quota of ${max} (quota_${kind}), so can add none`]
  })
}

const measures = { things: 'things', bytes: 'bytes of things and tags', tags: 'tags with settings' } as const

/**
 * Adds quotas to a store. It rejects a whole write that would raise the usage of its user above the quota. A user above
 * the quota can still delete and shorten, because such a write does not raise the usage.
 * The writes of the store throw ApiError `thingQuota`, `byteQuota`, `tagQuota`, `clearedTagQuota`.
 */
export const enforceQuotas = (store: Store, forAll: QuotaForAll): Store => ({
  ...store,
  write: async (userId, writer, work, priority) => {
    // Read before the write has its turn, because other writes wait during it.
    const quota = findQuota(await store.registry.findUser(userId), forAll)
    // Counting things costs time, and most servers have no such limit.
    const countsThings = quota.things !== null || quota.bytes !== null
    return store.write(
      userId,
      writer,
      async (draft) => {
        const [before, tagsBefore] = [countsThings ? await draft.countUsage() : undefined, await draft.countTagUsage()]
        const result = await work(draft)
        rejectTagExcess(quota, tagsBefore, await draft.countTagUsage())
        if (before !== undefined && draft.kinds().size > 0) rejectExcess(quota, before, await draft.countUsage())
        return result
      },
      priority,
    )
  },
})

/** The names of the quotas, as in the settings `quota_…`. */
export const quotaNames = ['things', 'bytes', 'tags', 'hooks'] as const

/** An amount, no limit (`none`), or the quota for all users (`default`). */
export type QuotaValue = number | 'none' | 'default'

/** Parses a value of a quota; undefined when the text is not one, or is an amount above `max`. */
export const parseQuotaValue = (text: string, max = Number.MAX_SAFE_INTEGER): QuotaValue | undefined => {
  if (text === 'none' || text === 'default') return text
  const amount = Number(text)
  return /^\d+$/.test(text) && amount <= max ? amount : undefined
}

/** Changes of quotas by name; absent quotas stay. */
export type QuotaChange = { readonly [Name in keyof Quota]?: QuotaValue }
