import { raiseStep } from '../../disk/raises.ts'
import { createIdIndex } from '../../image/id-index.ts'
import { draftRecords, eachRecord } from '../../image/records.ts'
import { type Change, findPosition, type StoredTag } from '../../record/change.ts'
import { encodeStep } from '../../record/write-steps.ts'
import type { SalvagedSteps } from './salvage-account.ts'

/** The account that salvaged steps make together, whatever is missing between them. */
export interface RebuiltAccount {
  /** True when the steps say no more than that there is no account. */
  readonly isEmpty: () => boolean
  /** The position of an account in which what was out of order has come behind all else, or all when a position stood twice. */
  readonly findPosition: () => Promise<number>
  /** The steps that make it at a position, as JSON, all of them `by` positions further on if that is not 0. */
  readonly listSteps: (position: number, by: number) => AsyncGenerator<string>
}

// A flipped bit can make a position of any size; none that was ever given is larger.
const maxPosition = 2 ** 50

const findId = (change: Change): string | undefined => {
  if ('thing' in change) return change.thing.id
  return 'tombstone' in change ? change.tombstone.id : undefined
}

/**
 * Which state of a thing or a deletion is the newest. In bytes that are damaged it may be anything, so another one with
 * its position is better.
 */
const rank = (change: Change, isWhole: boolean): number => (findPosition(change) ?? 0) - (isWhole ? 0 : 0.5)

const isPossible = (change: Change): boolean => (findPosition(change) ?? 0) <= maxPosition

/**
 * Reads salvaged steps, and says what they make: of each thing and tag the state with the highest position counts. They are
 * read again to be listed; of things only the ids are remembered, outside of the heap.
 */
export const rebuildAccount = async (read: () => AsyncIterable<SalvagedSteps>): Promise<RebuiltAccount> => {
  const ids = createIdIndex()
  const tags = new Map<string, StoredTag>()
  const records = draftRecords(new Map())
  let highest = 0

  const note = (change: Change, isWhole: boolean): void => {
    highest = Math.max(highest, findPosition(change) ?? 0)
    records.apply(change)
    if ('tag' in change && (tags.get(change.tag.name)?.position ?? 0) <= change.tag.position)
      tags.set(change.tag.name, change.tag)
    const id = findId(change)
    if (id === undefined) return
    const slot = ids.take(id)
    ids.setNewest(slot, Math.max(ids.newestOf(slot), rank(change, isWhole)))
  }

  for await (const { changes, isWhole } of read())
    for (const change of changes) if (isPossible(change)) note(change, isWhole)
  const newestRecords = records.finish()

  async function* listNewest(): AsyncGenerator<Change> {
    for (const tag of [...tags.values()].sort((a, b) => a.position - b.position)) yield { tag }
    const isListed = new Uint8Array(ids.size())
    for await (const { changes, isWhole } of read())
      for (const change of changes) {
        const id = findId(change)
        if (id === undefined || !isPossible(change)) continue
        const slot = ids.take(id)
        if (isListed[slot] === 1 || rank(change, isWhole) !== ids.newestOf(slot)) continue
        isListed[slot] = 1
        yield change
      }
  }

  const isAnyPositionDouble = (): boolean => {
    const all = new Float64Array(ids.size() + tags.size)
    for (let slot = 0; slot < ids.size(); slot += 1) all[slot] = Math.ceil(ids.newestOf(slot))
    all.set(
      Array.from(tags.values(), ({ position }) => position),
      ids.size(),
    )
    return all.sort().some((position, at) => position === all[at - 1])
  }

  /** What is listed, each with a position of its own, which ascend among things, deletions and tags. */
  async function* place(): AsyncGenerator<{ readonly change: Change; readonly position: number }> {
    const last = { thing: 0, tombstone: 0, tag: 0 }
    const isAnyDouble = isAnyPositionDouble()
    let end = highest
    for await (const change of listNewest()) {
      const kind = 'thing' in change ? 'thing' : 'tag' in change ? 'tag' : 'tombstone'
      const own = findPosition(change) ?? 0
      const isPlaced = own > last[kind] && !isAnyDouble
      if (!isPlaced) end += 1
      const position = isPlaced ? own : end
      last[kind] = position
      yield { change, position }
    }
  }

  async function* listSteps(position: number, by: number): AsyncGenerator<string> {
    const raise = (change: Change, own: number): Change =>
      by === 0 ? change : raiseStep(change, position, by + own - (findPosition(change) ?? own))
    for await (const { change, position: own } of place()) yield encodeStep(raise(change, own))
    for (const record of eachRecord(newestRecords)) yield encodeStep(raise({ record }, 0))
  }

  return {
    isEmpty: () => highest === 0 && eachRecord(newestRecords).next().done === true,
    findPosition: async () => {
      let end = highest
      for await (const { position } of place()) end = Math.max(end, position)
      return end
    },
    listSteps,
  }
}
