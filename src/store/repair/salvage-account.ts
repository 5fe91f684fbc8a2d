import type { AccountDocument } from '../account/account-document.ts'
import { draftRecords, eachRecord } from '../account/records.ts'
import { type Change, findPosition } from '../change.ts'
import { isRecord, isTag, isThing, isTombstone } from '../files/account-file.ts'
import { isPosition } from '../files/shape.ts'
import type { KeptWrite } from '../journal/read-lines.ts'
import { areChanges, removal } from '../journal/write-steps.ts'
import type { Kept } from '../keeper.ts'
import { salvageLines } from './salvage-lines.ts'

/** What is known of an account before the journal's writes are added. */
export interface SalvagedAccount {
  readonly position: number
  /** Its things, deletions, tags and records, as the changes that made them. */
  readonly changes: readonly Change[]
  /** Number of the last write in it; 0 when that cannot be told. */
  readonly write: number
}

// A flipped bit can make a position of any size; none that was ever given is larger.
const maxPosition = 2 ** 50

const isThingChange = (change: { readonly thing: unknown }): change is Extract<Change, { thing: unknown }> =>
  isThing(change.thing)
const isTagChange = (change: { readonly tag: unknown }): change is Extract<Change, { tag: unknown }> =>
  isTag(change.tag)
const isRecordChange = (change: { readonly record: unknown }): change is Extract<Change, { record: unknown }> =>
  isRecord(change.record)
const isTombstoneChange = (change: {
  readonly tombstone: unknown
}): change is Extract<Change, { tombstone: unknown }> => isTombstone(change.tombstone)

const toChange = (item: unknown): Change | undefined =>
  // A thing has all that a tombstone has.
  [{ thing: item }].find(isThingChange) ??
  [{ tag: item }].find(isTagChange) ??
  [{ record: item }].find(isRecordChange) ??
  [{ tombstone: item }].find(isTombstoneChange)

/** Reads the lines of an account's file that are whole. */
export const salvageAccount = (text: string): SalvagedAccount => {
  const { head, items } = salvageLines(text)
  const { position, write } = head
  return {
    position: isPosition(position) ? Number(position) : 0,
    changes: items.map(toChange).filter((change) => change !== undefined),
    write: isPosition(write) ? Number(write) : 0,
  }
}

/** An account that is whole, up to its last write in the journal. */
export const listKept = ({ document, writes }: Kept<AccountDocument, readonly Change[]>, write: number) => {
  const { things, tombstones, tags, records } = document
  const changes: readonly Change[] = [
    ...Array.from(things, (thing) => ({ thing })),
    ...Array.from(tombstones, (tombstone) => ({ tombstone })),
    ...Array.from(tags, (tag) => ({ tag })),
    ...Array.from(records, (record) => ({ record })),
  ]
  // Positions may have been raised, which no change in the journal says.
  const position = writes.flat().reduce((last, change) => findPosition(change) ?? last, document.position)
  return { position, changes, write }
}

/**
 * The account that salvaged changes and the writes of the journal that can be read make together, whatever is missing
 * between them: of each thing and tag the state with the highest position counts.
 */
export const rebuildAccount = (salvaged: SalvagedAccount, writes: readonly KeptWrite[]): AccountDocument => {
  const removedAt = writes.findLastIndex(({ steps }) => steps === removal)
  const later = writes.slice(removedAt + 1)
  const known = removedAt === -1 ? salvaged : { position: 0, changes: [], write: 0 }
  const added = later.flatMap(({ steps }) => (areChanges(steps) ? steps : []))
  const unsaved = later.flatMap(({ write, steps }) => (write > known.write && areChanges(steps) ? steps : []))

  const newest = new Map<string, Change>()
  for (const change of [...known.changes, ...added]) {
    const name = nameChanged(change)
    const position = findPosition(change)
    if (name === undefined || position === undefined || position > maxPosition) continue
    const before = newest.get(name)
    if (before === undefined || (findPosition(before) ?? 0) <= position) newest.set(name, change)
  }
  const records = draftRecords(new Map())
  for (const change of [...known.changes, ...unsaved]) records.apply(change)

  const ordered = [...newest.values()].sort((a, b) => (findPosition(a) ?? 0) - (findPosition(b) ?? 0))
  const changes = giveDistinctPositions(ordered)
  const headPosition = known.position > maxPosition ? 0 : known.position
  return {
    position: Math.max(headPosition, ...changes.slice(-1).map((change) => findPosition(change) ?? 0)),
    things: changes.flatMap((change) => ('thing' in change ? [change.thing] : [])),
    tombstones: changes.flatMap((change) => ('tombstone' in change ? [change.tombstone] : [])),
    tags: changes.flatMap((change) => ('tag' in change ? [change.tag] : [])),
    records: [...eachRecord(records.finish())],
  }
}

const nameChanged = (change: Change): string | undefined => {
  if ('thing' in change) return `id ${change.thing.id}`
  if ('tombstone' in change) return `id ${change.tombstone.id}`
  return 'tag' in change ? `tag ${change.tag.name}` : undefined
}

const giveDistinctPositions = (ordered: readonly Change[]): readonly Change[] => {
  let last = 0
  return ordered.map((change) => {
    last = Math.max(last + 1, findPosition(change) ?? 0)
    if ('thing' in change) return { thing: { ...change.thing, position: last } }
    if ('tombstone' in change) return { tombstone: { ...change.tombstone, position: last } }
    return 'tag' in change ? { tag: { ...change.tag, position: last } } : change
  })
}
