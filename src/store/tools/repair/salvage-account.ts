import { type FileHandle, open } from 'node:fs/promises'
import { isSystemError } from '../../disk/file-operations.ts'
import { readFileLines } from '../../disk/read-account.ts'
import type { AccountDocument } from '../../image/account-document.ts'
import { draftRecords, eachRecord } from '../../image/records.ts'
import { readHead } from '../../record/account-record.ts'
import { type Change, findPosition } from '../../record/change.ts'
import { findValueEnd } from '../../record/find-value-end.ts'
import type { StepSink } from '../../record/step-sink.ts'
import { thingStart } from '../../record/thing-step.ts'
import { readChange, readChanges } from '../../record/write-steps.ts'
import type { KeptWrite } from '../../wal/read-lines.ts'

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

/** The steps that can be read in bytes of which some are damaged. */
const salvageSteps = (bytes: Buffer): readonly Change[] => {
  const changes: Change[] = []
  for (let at = bytes.indexOf(opening); at !== -1; at = bytes.indexOf(opening, at)) {
    const end = findValueEnd(bytes, at)
    const step = end === -1 ? undefined : parseStep(bytes.toString('utf8', at, end))
    if (step !== undefined) changes.push(step)
    at = step === undefined ? at + 1 : end
  }
  return changes
}

const opening = '{"'

const parseStep = (text: string): Change | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    // Files of versions before 5 had the things, tags and so on themselves, and a thing has all that a tombstone has.
    const found = [value, { thing: value }, { tag: value }, { record: value }, { tombstone: value }]
    return found.map(readChange).find((change) => change !== undefined)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Reads what can be read of an account's file; nothing when there is none. */
export const salvageAccount = async (path: string): Promise<SalvagedAccount> => {
  let [position, write] = [0, 0]
  const changes: Change[] = []
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return { position, changes, write }
    throw error
  }
  try {
    const { size } = await handle.stat()
    for await (const lines of readFileLines(handle, size))
      for (const { bytes, start, line } of lines) {
        write = line?.write ?? write
        const head = line !== undefined && start === 0 ? readHead(bytes) : undefined
        if (typeof head === 'number') position = head
        else for (const change of salvageSteps(bytes)) changes.push(change)
      }
  } finally {
    await handle.close()
  }
  return { position, changes, write }
}

/** Takes an account that is whole, as the steps that made it. */
export interface WholeAccount extends StepSink {
  readonly changes: readonly Change[]
}

/** Begins to take one at a position. */
export const beginWhole = (start: number): WholeAccount => {
  const changes: Change[] = []
  let position = start
  const put = (change: Change): void => {
    position = findPosition(change) ?? position
    changes.push(change)
  }
  return {
    changes,
    // Whether an id comes twice was judged before.
    hasId: () => false,
    hasTag: () => false,
    position: () => Math.max(position, start),
    put,
    putKept: ({ bytes, start: from, end }) => {
      const change = parseStep(bytes.toString('utf8', from - thingStart, end + 1))
      if (change === undefined) throw new Error('the step of a thing is not what was read')
      put(change)
      return true
    },
  }
}

/**
 * The account that salvaged changes and the writes of the journal that can be read make together, whatever is missing
 * between them: of each thing and tag the state with the highest position counts.
 */
export const rebuildAccount = (known: SalvagedAccount, writes: readonly KeptWrite[]): AccountDocument => {
  const added = writes.flatMap(({ steps }) => readChanges(steps) ?? [])
  const unsaved = writes.flatMap(({ write, steps }) => (write > known.write ? (readChanges(steps) ?? []) : []))

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
