import { runBySize, type Work } from '../slices.ts'
import { type Account, joinUsage } from './image/account.ts'
import { cellOf } from './image/block.ts'
import { findGaps, type Gaps } from './image/lost-positions.ts'
import { listRecords } from './image/records.ts'
import { thingCell } from './image/thing-block.ts'
import { listEvents } from './list-events.ts'
import { countTags, listTags } from './list-tags.ts'
import { listAccount } from './listing.ts'
import { type ListQuery, StoreFailed, type View } from './store.ts'

/** More ids than this are looked for in slices. */
const mostIdsAtOnce = 256
/** More rows than this are looked at in slices. */
const mostRowsAtOnce = 2048

const isIn = (at: number, gaps: Gaps): boolean => gaps.some(([from, to]) => at > from && at < to)

function* pickIds(ids: Iterable<string>, isMeant: (id: string) => boolean): Work<ReadonlySet<string>> {
  const picked = new Set<string>()
  for (const id of ids) {
    if (isMeant(id)) picked.add(id)
    yield
  }
  return picked
}

/**
 * Views an account at a position that it still knows, with gaps beside those that it has brought along. Records and
 * errands have no positions: they are those of now. A view that is held until its position is no longer known throws
 * StoreFailed; a listing that was begun goes on.
 */
export const viewAccount = (
  account: Account,
  position: number,
  errands: ReadonlyMap<string, number>,
  gaps: Gaps = [],
): View => {
  const records = account.records()
  const todoTags = account.tags.listTodoTags(position)

  const check = (): void => {
    if (position < account.readableFrom()) throw new StoreFailed(`position ${position} is no longer known`)
  }

  /** A tag's things and deletions have to be looked at one by one to be counted. */
  const mayLookAtMany = ({ tag, after }: ListQuery): boolean => {
    const { tagged, tombstones } = account.table
    const ofTag = tag === undefined ? 0 : (tagged.get(tag)?.at(position).count(after) ?? 0)
    return ofTag > mostRowsAtOnce || (after > 0 && tombstones.feed.at(position).count(after) > mostRowsAtOnce)
  }

  return {
    position,
    hasBeenAt: (at) => at <= position && !isIn(at, gaps) && !isIn(at, findGaps(records)),
    findThing: async (id) => {
      check()
      const item = account.findItem(id, position)
      return item !== undefined && 'thing' in item ? item.thing : undefined
    },
    listOwnIds: async (ids, after) => {
      // Of each thing only its numbers are read: an upload asks for thousands.
      const isOwn = (id: string): boolean => {
        check()
        const found = account.table.findVersion(id, position)
        return found?.kind === 'thing' && cellOf(found.block, found.row, thingCell.others) <= after
      }
      return runBySize(pickIds(ids, isOwn), ids.size > mostIdsAtOnce)
    },
    isTodo: async (thing) => account.form.tagsOf(thing).some((tag) => todoTags.has(tag)),
    list: async (query) => {
      check()
      const work = listAccount(account, position, todoTags, query)
      return runBySize(work, (query.omit?.size ?? 0) > mostIdsAtOnce || mayLookAtMany(query))
    },
    listTags: (after) => {
      check()
      return listTags(account, position, after)
    },
    countTags: async () => {
      check()
      const { table, tags } = account
      const isLong = table.tagged.size + tags.at(position).count(0) > mostRowsAtOnce
      const counts = await runBySize(countTags(account, position), isLong)
      check()
      return counts
    },
    countThings: async () => {
      check()
      return account.table.things.at(position).count(0)
    },
    countUsage: async () => joinUsage(account.thingUsage(), account.tagUsage()),
    listRecords: async (kind, group) => listRecords(records, kind, group),
    listEvents: (after) => {
      check()
      return listEvents(account, position, after)
    },
    listErrands: async () => errands,
  }
}
