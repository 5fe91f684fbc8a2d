import { runInSlices, runWhole, type Work } from '../slices.ts'
import type { Account } from './account/account.ts'
import { cellOf } from './account/block.ts'
import { listRecords } from './account/records.ts'
import { thingCell } from './account/thing-block.ts'
import { listEvents } from './list-events.ts'
import { listAccount } from './listing.ts'
import { StoreFailed, type TagSettings, type View } from './store.ts'

/** More ids than this are looked for in slices. */
const mostIdsAtOnce = 256

/**
 * Views an account at a position that it still knows. Records and errands have no positions: they are those of now.
 * A view that is kept until its position is no longer known throws StoreFailed; a listing that was begun goes on.
 */
export const viewAccount = (account: Account, position: number, errands: ReadonlyMap<string, number>): View => {
  const records = account.records()
  const todoTags = account.tags.listTodoTags(position)

  const check = (): void => {
    if (position < account.readableFrom()) throw new StoreFailed(`position ${position} is no longer known`)
  }

  const listTags = (after: number): ReadonlyMap<string, TagSettings> => {
    const settings = new Map<string, TagSettings>()
    for (const tag of account.tags.list(position, after)) settings.set(tag.name, tag.settings)
    return settings
  }

  // Of each thing only its numbers are read: an upload asks for thousands.
  function* findOwnIds(ids: Iterable<string>, after: number): Work<readonly string[]> {
    const ownIds: string[] = []
    for (const id of ids) {
      check()
      const found = account.table.findVersion(id, position)
      if (found?.kind === 'thing' && cellOf(found.block, found.row, thingCell.others) <= after) ownIds.push(id)
      yield
    }
    return ownIds
  }

  const countTags = (): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>()
    for (const [tag, feed] of account.table.tagged) {
      const count = feed.at(position).count(0)
      if (count > 0) counts.set(tag, count)
    }
    return counts
  }

  return {
    position,
    findThing: async (id) => {
      check()
      const item = account.findItem(id, position)
      return item !== undefined && 'thing' in item ? item.thing : undefined
    },
    listOwnIds: async (ids, after) => {
      const work = findOwnIds(ids, after)
      return ids.size > mostIdsAtOnce ? runInSlices(work) : runWhole(work)
    },
    isTodo: async (thing) => account.form.tagsOf(thing).some((tag) => todoTags.has(tag)),
    list: async (query) => {
      check()
      const work = listAccount(account, position, todoTags, query)
      return (query.omit?.size ?? 0) > mostIdsAtOnce ? runInSlices(work) : runWhole(work)
    },
    listTags: async (after) => {
      check()
      return listTags(after)
    },
    countTags: async () => {
      check()
      return countTags()
    },
    countThings: async () => {
      check()
      return account.table.things.at(position).count(0)
    },
    listRecords: async (kind, group) => listRecords(records, kind, group),
    listEvents: (after) => {
      check()
      return listEvents(account, position, after)
    },
    listErrands: async () => errands,
  }
}
