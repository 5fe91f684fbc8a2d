import { ApiError } from '../api-error.ts'
import type { Quota, User } from '../store/registry/registry.ts'
import type { Store, TagUsage, Usage } from '../store/store.ts'
import { findNamedUser } from './users.ts'

/** How much everybody may have; null is any amount. */
export type QuotaForAll = Required<Quota>

/** Nobody is held to anything. */
export const noQuotas: QuotaForAll = { things: null, bytes: null, tags: null, hooks: null }

/** Tags with settings that a user may have where no setting says another number. */
const defaultTagQuota = 10_000

/** What users are held to where no setting says anything. */
export const defaultQuotas: QuotaForAll = { ...noQuotas, tags: defaultTagQuota }

/** Settings of quotas, of a server or a command. */
export interface QuotaSettings {
  readonly quotaThings?: number | undefined
  readonly quotaBytes?: number | undefined
  readonly quotaTags?: number | undefined
  readonly quotaHooks?: number | undefined
}

/** How much everybody may have, as settings say it. */
export const readQuotas = ({ quotaThings, quotaBytes, quotaTags, quotaHooks }: QuotaSettings): QuotaForAll => ({
  things: quotaThings ?? null,
  bytes: quotaBytes ?? null,
  tags: quotaTags ?? defaultTagQuota,
  hooks: quotaHooks ?? null,
})

/** How much a user may have: what was set for the user, else what is set for all. */
export const findQuota = (user: Pick<User, 'quota'> | undefined, forAll: QuotaForAll): QuotaForAll => ({
  ...forAll,
  ...user?.quota,
})

const toStoredQuota = (value: QuotaValue): number | null | undefined => {
  if (value === 'default') return undefined
  return value === 'none' ? null : value
}

/**
 * Sets how much a user may have, where it is another amount than everybody's.
 * What the user has by now is kept, also when it is more.
 * @throws AccountError when there is no such user
 */
export const changeQuota = (store: Pick<Store, 'registry'>, name: string, change: QuotaChange): Promise<User> =>
  store.registry.change(async (registry) => {
    const { quota: before, ...user } = await findNamedUser(registry, name)
    const wished = Object.entries(change).map(([what, value]) => [what, toStoredQuota(value)] as const)
    const all = Object.entries({ ...before, ...Object.fromEntries(wished) })
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
 * Names that are new may neither bring more tags with settings than the quota allows, nor be kept beside as many whose
 * settings were cleared. So an account keeps twice as many names at most. Names that are kept may always be changed.
 */
const rejectTagExcess = ({ tags: max }: QuotaForAll, before: TagUsage, after: TagUsage): void => {
  if (max === null) return
  if (exceeds(max, before.tags, after.tags)) throw new ApiError('tagQuota', { max })
  const hasNewNames = after.tags + after.clearedTags > before.tags + before.clearedTags
  if (hasNewNames && after.clearedTags > max) throw new ApiError('clearedTagQuota', { max })
}

/** The sentences on what a user has more of than the quota allows. */
export const describeExcess = (
  { name, quota: own }: Pick<User, 'name' | 'quota'>,
  usage: Usage,
  forAll: QuotaForAll,
): readonly string[] => {
  const quota = findQuota(own === undefined ? undefined : { quota: own }, forAll)
  return (['things', 'bytes', 'tags'] as const).flatMap((what) => {
    const max = quota[what]
    if (max === null || usage[what] <= max) return []
    return [`${name} has ${usage[what]} ${measures[what]} and a quota of ${max} (quota_${what}), so can add none`]
  })
}

const measures = { things: 'things', bytes: 'bytes of things and tags', tags: 'tags with settings' } as const

/**
 * A store in which a write is refused whole that would leave its user with more than the quota allows, unless it leaves
 * no more than there was: whoever is above it can delete and shorten.
 */
export const enforceQuotas = (store: Store, forAll: QuotaForAll): Store => ({
  ...store,
  write: async (userId, writer, work, priority) => {
    // Asked before the write has its turn, for which others wait.
    const quota = findQuota(await store.registry.findUser(userId), forAll)
    // Counting things costs a little, and most servers have no such limit.
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

/** What a quota is about. */
export const quotaNames = ['things', 'bytes', 'tags', 'hooks'] as const

/** An amount; any amount (`none`); or what everybody may have (`default`). */
export type QuotaValue = number | 'none' | 'default'

/** The wish that a text says; undefined when it says none, or an amount over the most that anybody may have. */
export const parseQuotaValue = (text: string, max = Number.MAX_SAFE_INTEGER): QuotaValue | undefined => {
  if (text === 'none' || text === 'default') return text
  const amount = Number(text)
  return /^\d+$/.test(text) && amount <= max ? amount : undefined
}

/** What a quota is to be about; what is absent stays as it is. */
export type QuotaChange = { readonly [Name in keyof Quota]?: QuotaValue }
