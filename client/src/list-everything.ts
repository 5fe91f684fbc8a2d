import type { TagSettings } from '../../generated/types.ts'
import { confirmFullListing } from './confirm-upload.ts'
import type { Client } from './create-client.ts'
import { type FoldedAnswer, type FoldTarget, foldAnswer, isAheadOf, isBlankState } from './fold-answer.ts'
import { hasGoneBack } from './gone-back.ts'
import { writeKeepingLost } from './lost-edits.ts'
import type { Batch } from './pending-edits.ts'
import { createRandomId } from './random-id.ts'
import { type BegunListing, keys, type ReplicaState } from './replica-records.ts'
import type { StreamOptions } from './sync-events.ts'

/** What a full listing did. */
export interface ListedEverything {
  /** What this call was told; less than there is when it went on with a listing. */
  readonly listed: number
  /** Whether one request gave it all, so that it is as new as can be. */
  readonly isOneAnswer: boolean
}

interface ListingContext {
  readonly client: Pick<Client, 'streamSyncParts'>
  readonly target: Omit<FoldTarget, 'state'>
  readonly readState: () => Promise<ReplicaState>
  readonly pageSize: number
  /** Whether positions that are far ahead say that the server was restored. */
  readonly raisesPositions: boolean
}

/** How often pages that do not fit together are begun again, before everything is asked for in one answer. */
const mostBegun = 3

/**
 * Takes over all things of the account (interface 4.3, rule 1), in pages, and notes with what it writes how far it has
 * come: a listing that was cut off goes on there. All pages have the position of the first one (contract, sync 6); where
 * the server cannot go on, everything is listed from the beginning. What waits to be sent is never touched.
 */
export const listEverything = async (
  { client, target, readState, pageSize, raisesPositions }: ListingContext,
  options: StreamOptions,
): Promise<ListedEverything> => {
  let told = 0
  let bytes = 0
  let bytesOfPage = 0

  /** Tells the progress of a page as that of the whole listing. */
  const addUp = (before: number): StreamOptions => ({
    ...options,
    onProgress: (page) => {
      bytesOfPage = page.bytes
      options.onProgress?.({ ...page, listed: before + page.listed, bytes: bytes + page.bytes })
    },
  })
  const confirm = (answer: FoldedAnswer, state: ReplicaState, how: { isBlank: boolean; saysTags: boolean }) =>
    target.inTurn(async () => {
      const batch = await confirmFullListing({ ...target, state }, answer, how)
      const areLastCopies = state.hasLastCopies === true || hasGoneBack(state, answer, raisesPositions)
      await writeKeepingLost(target, batch, areLastCopies)
    })
  const write = (batch: Batch, state: ReplicaState) =>
    target.inTurn(() => writeKeepingLost(target, batch.set(keys.state, state)))
  /** False when the pages do not fit together. */
  const listPages = async (): Promise<boolean> => {
    const begun = (await readState()).listing
    const tags = new Map<string, TagSettings>()
    let listing: Omit<BegunListing, 'position'> & { readonly position: number | undefined } = begun ?? {
      name: createRandomId(),
      position: undefined,
      listed: 0,
      isBlank: isBlankState(await readState()),
    }
    while (true) {
      const state = await readState()
      const { name, isBlank, listed: skip } = listing
      const toState = (listed: number, position = listing.position): ReplicaState => {
        const ahead = isAheadOf(state)
        return position === undefined
          ? ahead
          : { ...ahead, listing: { name, isBlank, position, listed: skip + listed } }
      }
      const query = skip === 0 ? { limit: pageSize } : { skip, limit: pageSize }
      const events = client.streamSyncParts(query, addUp(skip))
      const isWanted = (position: number) => listing.position === undefined || position === listing.position
      const page = await foldAnswer(events, { ...target, state }, { name, isBlank, isWanted, toState })
      if (!page.isWanted) return false
      told += page.listed
      bytes += bytesOfPage
      for (const [tag, settings] of page.tags) tags.set(tag, settings)
      listing = { ...listing, position: page.position, listed: skip + page.listed }
      if (listing.listed >= page.thingCount) {
        const saysTags = begun === undefined || tags.size > 0
        await confirm({ ...page, tags }, state, { isBlank, saysTags })
        return true
      }
      if (page.listed === 0) return false
      await write(skip === 0 ? withTags(page.batch, page.tags) : page.batch, toState(page.listed, page.position))
    }
  }
  for (let tries = 0; tries < mostBegun; tries++) {
    const isNew = (await readState()).listing === undefined
    if (await listPages()) return { listed: told, isOneAnswer: isNew && told <= pageSize }
    // It begins anew, on top of what it has already.
    await write(new Map(), isAheadOf(await readState()))
  }
  const state = await readState()
  const how = { name: createRandomId(), isBlank: false, toState: () => isAheadOf(state) }
  const answer = await foldAnswer(client.streamSyncParts({}, options), { ...target, state }, how)
  await confirm(answer, state, { isBlank: false, saysTags: true })
  return { listed: told + answer.listed, isOneAnswer: true }
}

/** Settings of tags are shown as soon as the first things are. */
const withTags = (batch: Batch, tags: ReadonlyMap<string, TagSettings>): Batch => {
  for (const [name, settings] of tags) batch.set(keys.tag(name), settings)
  return batch
}
