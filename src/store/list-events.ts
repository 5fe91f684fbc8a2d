import { createPace } from '../slices.ts'
import type { Account } from './image/account.ts'
import type { ListedRows } from './image/block.ts'
import { type Block, cellOf, positionOf } from './image/block.ts'
import { type ThingBlock, thingCell } from './image/thing-block.ts'
import type { ThingRows } from './image/thing-row.ts'
import type { Tombstones } from './image/tombstones.ts'
import type { AccountEvent } from './store.ts'

/** How many events are listed between two looks at the clock. */
const eventsBetweenRests = 64

/** What changed after a position, as an account was at another one (View.listEvents). */
export const listEvents = (account: Account, position: number, after: number): AsyncIterable<AccountEvent> => {
  const { rows, things, tombstones } = account.table
  // As they are now: a sweep that comes while they are listed changes neither.
  const [thingsAt, tombstonesAt] = [things.at(position), tombstones.feed.at(position)]
  return {
    [Symbol.asyncIterator]: () =>
      inSlices(merge(eachThing(thingsAt.walk(after), rows), eachDeletion(tombstonesAt.walk(after), tombstones))),
  }
}

type Events = Generator<AccountEvent, undefined, undefined>

function* eachThing(listed: Iterable<ListedRows<ThingBlock>>, { idOf }: ThingRows): Events {
  for (const { block, rows } of listed)
    for (const row of rows()) {
      const createdPosition = cellOf(block, row, thingCell.created)
      yield { position: positionOf(block, row), id: idOf(block, row), createdPosition, kind: 'thing' }
    }
  return undefined
}

function* eachDeletion(listed: Iterable<ListedRows<Block>>, { read }: Tombstones): Events {
  for (const { block, rows } of listed) for (const row of rows()) yield { ...read(block, row), kind: 'deletion' }
  return undefined
}

function* merge(things: Events, deletions: Events): Events {
  let deletion = deletions.next().value
  for (const thing of things) {
    for (; deletion !== undefined && deletion.position < thing.position; deletion = deletions.next().value)
      yield deletion
    yield thing
  }
  for (; deletion !== undefined; deletion = deletions.next().value) yield deletion
  return undefined
}

async function* inSlices(events: Events): AsyncGenerator<AccountEvent, void, undefined> {
  const pace = createPace()
  let count = 0
  for (const event of events) {
    count += 1
    if (count % eventsBetweenRests === 0 && pace.isDue()) await pace.rest()
    yield event
  }
}
