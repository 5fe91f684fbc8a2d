import { Refused } from '../refused.ts'
import type { Quota, User } from '../store/registry/registry.ts'
import type { Store, TagUsage, Usage } from '../store/store.ts'
import type { QuotaChange, QuotaWish } from './quota-wish.ts'
import { findNamedUser } from './users.ts'

/** How much everybody may have; null is any amount. */
export type QuotaForAll = Required<Quota>

/** Nobody is held to anything. */
export const noQuotas: QuotaForAll = { things: null, bytes: null, tags: null, hooks: null }

/** Tags with settings that a user may have where no setting says another number. */
export const usualTagQuota = 10_000

/** What users are held to where no setting says anything. */
export const usualQuotas: QuotaForAll = { ...noQuotas, tags: usualTagQuota }

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
  tags: quotaTags ?? usualTagQuota,
  hooks: quotaHooks ?? null,
})

/** How much a user may have: what was set for the user, else what is set for all. */
export const findQuota = (user: Pick<User, 'quota'> | undefined, forAll: QuotaForAll): QuotaForAll => ({
  ...forAll,
  ...user?.quota,
})

const readWish = (wish: QuotaWish): number | null | undefined => {
  if (wish === 'default') return undefined
  return wish === 'none' ? null : wish
}

/**
 * Sets how much a user may have, where it is another amount than everybody's.
 * What the user has by now is kept, also when it is more.
 * @throws AccountRefused when there is no such user
 */
export const changeQuota = (store: Pick<Store, 'registry'>, name: string, change: QuotaChange): Promise<User> =>
  store.registry.change(async (registry) => {
    const { quota: before, ...user } = await findNamedUser(registry, name)
    const wished = Object.entries(change).map(([what, wish]) => [what, readWish(wish)] as const)
    const all = Object.entries({ ...before, ...Object.fromEntries(wished) })
    const quota: Quota = Object.fromEntries(all.filter(([, most]) => most !== undefined))
    const changed = Object.keys(quota).length === 0 ? user : { ...user, quota }
    await registry.put('users', changed)
    return changed
  })

const isOver = (most: number | null, before: number, after: number): boolean =>
  most !== null && after > most && after > before

const refuseOver = ({ things, bytes }: QuotaForAll, before: Usage, after: Usage): void => {
  if (isOver(things, before.things, after.things)) throw new Refused('thingQuota', { most: Number(things) })
  if (isOver(bytes, before.bytes, after.bytes)) throw new Refused('byteQuota', { most: Number(bytes) })
}

/**
 * Names that are new may neither bring more tags with settings than the quota allows, nor be kept beside as many whose
 * settings were cleared. So an account keeps twice as many names at most. Names that are kept may always be changed.
 */
const refuseTagsOver = ({ tags: most }: QuotaForAll, before: TagUsage, after: TagUsage): void => {
  if (most === null) return
  if (isOver(most, before.tags, after.tags)) throw new Refused('tagQuota', { most })
  const hasNewNames = after.tags + after.clearedTags > before.tags + before.clearedTags
  if (hasNewNames && after.clearedTags > most) throw new Refused('clearedTagQuota', { most })
}

/** The sentences on what a user has more of than the quota allows. */
export const describeExcess = (
  { name, quota: own }: Pick<User, 'name' | 'quota'>,
  usage: Usage,
  forAll: QuotaForAll,
): readonly string[] => {
  const quota = findQuota(own === undefined ? undefined : { quota: own }, forAll)
  return (['things', 'bytes', 'tags'] as const).flatMap((what) => {
    const most = quota[what]
    if (most === null || usage[what] <= most) return []
    return [`${name} has ${usage[what]} ${measures[what]} and a quota of ${most} (quota_${what}), so can add none`]
  })
}

const measures = { things: 'things', bytes: 'bytes of things and tags', tags: 'tags with settings' } as const

/**
 * A store in which a write is refused whole that would leave its user with more than the quota allows, unless it leaves
 * no more than there was: whoever is above it can delete and shorten.
 */
export const keepQuotas = (store: Store, forAll: QuotaForAll): Store => ({
  ...store,
  write: async (userId, writer, work, haste) => {
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
        refuseTagsOver(quota, tagsBefore, await draft.countTagUsage())
        if (before !== undefined && draft.kinds().size > 0) refuseOver(quota, before, await draft.countUsage())
        return result
      },
      haste,
    )
  },
})
