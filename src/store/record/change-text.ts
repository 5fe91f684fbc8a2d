import type { Work } from '../../scheduling.ts'
import type { RegistryKind } from '../registry/registry.ts'
import { mapKinds, type RegistryChanges, registryKinds } from '../registry/registry-state.ts'
import { type Change, type EntryChange, isInOrder, type OtherChange, type StepOrder, type StepSink } from './change.ts'
import { DamagedFile, findStepsWithEnd, isRepairedLine, readSteps } from './checked-lines.ts'
import {
  createThingScanner,
  type EncodedThing,
  encodeStoredThing,
  readWrittenThing,
  thingStart,
  type WrittenThing,
} from './encoded-thing.ts'
import { findValueEnd, parseJson, passBytes } from './json.ts'
import {
  isListOf,
  isObjectOf,
  isOptional,
  isOutboxEntry,
  isRecord,
  isTag,
  isText,
  isTombstone,
  isWrittenThing,
  registryShapes,
  type Shape,
} from './shapes.ts'

/** The steps of a write that removed an account. */
export const removal = 'removed'

/** Encodes a step as JSON; for things see `encoded-thing.ts`. */
export const encodeChange = (change: OtherChange): string => JSON.stringify(change)

/** Encodes any step as JSON. Do not use it for a thing that exists as bytes: it would be encoded again. */
export const encodeChangeLine = (change: Change): string =>
  'thing' in change ? encodeStoredThing(change.thing) : encodeChange(change)

const isGroup = isObjectOf({ kind: isText, group: isText })
const isKey = isObjectOf({ kind: isText, group: isText, key: isText })

const entryShapes: readonly Shape[] = [
  isObjectOf({ entry: isOutboxEntry }),
  isObjectOf({ removedEntry: isObjectOf({ key: isText }) }),
]

const changeShapes: readonly Shape[] = [
  isObjectOf({ tombstone: isTombstone }),
  isObjectOf({ tag: isTag }),
  isObjectOf({ record: isRecord }),
  isObjectOf({ removedRecord: isKey }),
  isObjectOf({ removedRecords: isGroup }),
  ...entryShapes,
]

/** Returns true for a step that changes the outbox. */
export const isEntryStep = (step: unknown): step is EntryChange => entryShapes.some((shape) => shape(step))

const isChange = (step: unknown): step is OtherChange => changeShapes.some((shape) => shape(step))

const isWritten = (step: unknown): step is WrittenThing => isWrittenThing(step)

/** Reads a parsed step; undefined when the value is no step. */
export const readChange = (step: unknown): Change | undefined => {
  if (isWritten(step)) return { thing: readWrittenThing(step) }
  return isChange(step) ? step : undefined
}

/** Reads the steps of a write to an account, without a check of positions; undefined when a value is no step. */
export const readChanges = (steps: unknown): readonly Change[] | undefined => {
  const changes = Array.isArray(steps) ? steps.map(readChange) : [undefined]
  return changes.every((change) => change !== undefined) ? changes : undefined
}

type WrittenItem = readonly [id: string, item: unknown]

/** Encodes the steps of a registry change as JSON: items with their id, null for a deleted item. */
export const encodeRegistryChanges = (changes: RegistryChanges): string => {
  // Only kinds with changes are written: most lines are the refresh of a single session.
  const named = registryKinds.filter((kind) => changes[kind].size > 0)
  const listItems = (kind: RegistryKind) =>
    Array.from<WrittenItem, WrittenItem>(changes[kind], ([id, item]) => [id, item ?? null])
  return JSON.stringify(Object.fromEntries(named.map((kind) => [kind, listItems(kind)])))
}

const isItemOf =
  (kind: RegistryKind): Shape =>
  (pair) =>
    Array.isArray(pair) && isText(pair[0]) && (pair[1] === null || registryShapes[kind](pair[1]))

const haveRegistryShape = isObjectOf(
  mapKinds<Readonly<Record<RegistryKind, Shape>>>((kind) => isOptional(isListOf(isItemOf(kind)))),
)

/** Decodes the steps of a registry change. @throws DamagedFile */
export const decodeRegistryChanges = (steps: unknown): RegistryChanges => {
  if (!haveRegistryShape(steps)) throw new DamagedFile('a user, app or session in it is not complete')
  const written = steps as Partial<Record<RegistryKind, readonly WrittenItem[]>>
  const readItems = (items: readonly WrittenItem[] = []) => new Map(items.map(([id, item]) => [id, item ?? undefined]))
  return mapKinds<RegistryChanges>((kind) => readItems(written[kind]))
}

/** A buffer for the steps of one write, as the bytes that the journal and the account in memory receive. */
export interface ChangeBuffer {
  /** Adds a step as JSON and returns its offset in the buffer. */
  readonly add: (json: string) => number
  /** Finds the bytes that contain an offset of the buffer, and where it is in them. */
  readonly find: (offset: number) => { readonly bytes: Buffer; readonly start: number }
  /** Returns all steps as a JSON list, in pieces, after the given JSON steps. The buffer then accepts no more steps. */
  readonly close: (before: readonly string[]) => readonly Buffer[]
}

const [opening, comma, closing] = [0x5b, 0x2c, 0x5d]

// A buffer of this size comes from Node's pool.
const firstBytes = 2 * 1024
const maxBytes = 256 * 1024

/** A part of the buffer in one piece of memory. */
interface Piece {
  /** The offset of its first byte in the buffer. */
  readonly from: number
  readonly bytes: Buffer
  used: number
}

/** Returns an upper bound of the bytes of a text; the bytes of a long text are counted. */
const bytesOf = (text: string): number => (text.length < firstBytes ? text.length * 3 : Buffer.byteLength(text))

/** Creates an empty buffer. */
export const createChangeBuffer = (): ChangeBuffer => {
  const pieces: Piece[] = []
  let last: Piece | undefined

  const open = (size: number): Piece => {
    const wanted = last === undefined ? firstBytes : Math.min(maxBytes, last.bytes.length * 4)
    const from = last === undefined ? 0 : last.from + last.bytes.length
    last = { from, bytes: Buffer.allocUnsafe(Math.max(size, wanted)), used: 0 }
    pieces.push(last)
    return last
  }

  return {
    add: (json) => {
      // Includes the comma before the step, and the bracket after the last step.
      const size = bytesOf(json) + 2
      const piece = last === undefined || last.bytes.length - last.used < size ? open(size) : last
      piece.bytes[piece.used] = comma
      const start = piece.used + 1
      piece.used = start + piece.bytes.write(json, start)
      return piece.from + start
    },
    find: (offset) => {
      let index = pieces.length - 1
      while ((pieces[index] as Piece).from > offset) index -= 1
      const { bytes, from } = pieces[index] as Piece
      return { bytes, start: offset - from }
    },
    close: (before) => {
      const [first] = pieces
      if (first === undefined || last === undefined) return [Buffer.from(`[${before.join(',')}]`)]
      last.bytes[last.used] = closing
      last.used += 1
      const closed = pieces.map(({ bytes, used }) => bytes.subarray(0, used))
      if (before.length > 0) return [Buffer.from(`[${before.join(',')}`), ...closed]
      first.bytes[0] = opening
      return closed
    },
  }
}

const lineEnd = Buffer.from(']}')
const thingName = Buffer.from('{"thing":')

/** Parses all steps of a line that `readLine` has read; undefined when they are invalid. */
export const parseSteps = (line: Buffer): readonly Change[] | undefined => readChanges(readSteps(line))

const put = (step: Change | EncodedThing | undefined, sink: StepSink, order: StepOrder): boolean => {
  if (step === undefined || !isInOrder(step, order)) return false
  sink.put(step)
  return true
}

/** The steps that are passed on between two places where the work may be interrupted. */
const stepsAtOnce = 64

/**
 * Passes the steps of a line that `readLine` has read to the sink. Returns false when they are not the steps of a write
 * in this order; the sink may then have some of them. The steps of a line that a user repaired may be JSON in any
 * layout, and are passed on without an interruption.
 */
export function* passSteps(line: Buffer, sink: StepSink, order: StepOrder): Work<boolean> {
  if (isRepairedLine(line)) return parseSteps(line)?.every((step) => put(step, sink, order)) ?? false
  const scanThing = createThingScanner()

  /** Passes on the step at an offset. Returns the offset of its end, or -1. */
  const takeStep = (bytes: Buffer, start: number): number => {
    const thing = passBytes(bytes, start, thingName) < 0 ? undefined : scanThing(bytes, start + thingStart)
    if (thing !== undefined) return put(thing, sink, order) ? thing.end + 1 : -1
    const end = findValueEnd(bytes, start)
    const step = end < 0 ? undefined : readChange(parseJson(bytes.toString('utf8', start, end)))
    return put(step, sink, order) ? end : -1
  }

  const steps = findStepsWithEnd(line)
  if (steps[0] !== opening) return false
  let count = 0
  for (let start = 1; ; ) {
    const end = takeStep(steps, start)
    if (end < 0) return false
    if (steps[end] !== comma) return passBytes(steps, end, lineEnd) === steps.length
    start = end + 1
    count += 1
    if (count % stepsAtOnce === 0) yield
  }
}
