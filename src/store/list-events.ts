import { createPace } from '../slices.ts'
import type { Account } from './image/account.ts'
import { cellOf, positionOf } from './image/block.ts'
import { thingCell } from './image/thing-block.ts'
import type { AccountEvent } from './store.ts'

/** How many events are listed between two looks at the clock. */
const eventsBetweenRests = 64

/** What changed after a position, as an account was at another one (View.listEvents). */
export const listEvents = (account: Account, position: number, after: number): AsyncIterable<AccountEvent> => {
  const { rows, things, tombstones } = account.table
  // As they are now: a sweep that comes while they are listed changes neither.
  const [thingsAt, tombstonesAt] = [things.at(position), tombstones.feed.at(position)]

  function* eachThing(): Generator<AccountEvent, undefined, undefined> {
    for (const { block, rows: listRows } of thingsAt.walk(after))
      for (const row of listRows()) {
        const createdPosition = cellOf(block, row, thingCell.created)
        yield { position: positionOf(block, row), id: rows.idOf(block, row), createdPosition, kind: 'thing' }
      }
    return undefined
  }

  function* eachDeletion(): Generator<AccountEvent, undefined, undefined> {
    for (const { block, rows: listRows } of tombstonesAt.walk(after))
      for (const row of listRows()) yield { ...tombstones.read(block, row), kind: 'deletion' }
    return undefined
  }

  function* merge(): Generator<AccountEvent, void, undefined> {
    const deletions = eachDeletion()
    let deletion = deletions.next().value
    for (const change of eachThing()) {
      for (; deletion !== undefined && deletion.position < change.position; deletion = deletions.next().value)
        yield deletion
      yield change
    }
    for (; deletion !== undefined; deletion = deletions.next().value) yield deletion
  }

  async function* list(): AsyncGenerator<AccountEvent, void, undefined> {
    const pace = createPace()
    let count = 0
    for (const event of merge()) {
      count += 1
      if (count % eventsBetweenRests === 0 && pace.isDue()) await pace.rest()
      yield event
    }
  }
  return { [Symbol.asyncIterator]: list }
}
