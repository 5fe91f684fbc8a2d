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

/** A step as JSON, all but those of things (`thing-step.ts`). */
export const encodeChange = (change: OtherChange): string => JSON.stringify(change)

/** Any step as JSON. A thing that is there as bytes is not to be made anew like this. */
export const encodeChangeLine = (change: Change): string =>
  'thing' in change ? encodeStoredThing(change.thing) : encodeChange(change)

const isGroup = isObjectOf({ kind: isText, group: isText })
const isKey = isObjectOf({ kind: isText, group: isText, key: isText })

const entryShapes: readonly Shape[] = [
  isObjectOf({ errand: isOutboxEntry }),
  isObjectOf({ removedErrand: isObjectOf({ key: isText }) }),
]

const changeShapes: readonly Shape[] = [
  isObjectOf({ tombstone: isTombstone }),
  isObjectOf({ tag: isTag }),
  isObjectOf({ record: isRecord }),
  isObjectOf({ removedRecord: isKey }),
  isObjectOf({ removedRecords: isGroup }),
  ...entryShapes,
]

/** True for a step of a write that changes what is to be told. */
export const isEntryStep = (step: unknown): step is EntryChange => entryShapes.some((shape) => shape(step))

const isChange = (step: unknown): step is OtherChange => changeShapes.some((shape) => shape(step))

const isWritten = (step: unknown): step is WrittenThing => isWrittenThing(step)

/** A step that was parsed; undefined when it is none. */
export const readChange = (step: unknown): Change | undefined => {
  if (isWritten(step)) return { thing: readWrittenThing(step) }
  return isChange(step) ? step : undefined
}

/** The steps of a write to an account, at whatever position; undefined when one of them is none. */
export const readChanges = (steps: unknown): readonly Change[] | undefined => {
  const changes = Array.isArray(steps) ? steps.map(readChange) : [undefined]
  return changes.every((change) => change !== undefined) ? changes : undefined
}

type WrittenItem = readonly [id: string, item: unknown]

/** The steps of a change of the registry, as JSON: items with their id, null for one that was deleted. */
export const encodeRegistryChanges = (changes: RegistryChanges): string => {
  // Most lines are of a session's refresh.
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

/** Reads the steps of a change of the registry. @throws DamagedFile */
export const decodeRegistryChanges = (steps: unknown): RegistryChanges => {
  if (!haveRegistryShape(steps)) throw new DamagedFile('a user, app or session in it is not complete')
  const written = steps as Partial<Record<RegistryKind, readonly WrittenItem[]>>
  const readItems = (items: readonly WrittenItem[] = []) => new Map(items.map(([id, item]) => [id, item ?? undefined]))
  return mapKinds<RegistryChanges>((kind) => readItems(written[kind]))
}

const [opening, comma] = [0x5b, 0x2c]
const lineEnd = Buffer.from(']}')
const thingName = Buffer.from('{"thing":')

/** All steps of a line that `readLine` has read; undefined where they are none. */
export const parseSteps = (line: Buffer): readonly Change[] | undefined => readChanges(readSteps(line))

const put = (step: Change | EncodedThing | undefined, sink: StepSink, order: StepOrder): boolean => {
  if (step === undefined || !isInOrder(step, order)) return false
  sink.put(step)
  return true
}

/**
 * Takes the steps of a line that `readLine` has read. False when they are not those of a write in this order; some of them
 * may be taken then. Those of a line that a person repaired may be JSON of any form.
 */
export const takeSteps = (line: Buffer, sink: StepSink, order: StepOrder): boolean => {
  if (isRepairedLine(line)) return parseSteps(line)?.every((step) => put(step, sink, order)) ?? false
  const scanThing = createThingScanner()

  /** Hands on the step that stands at a place; gives where it ends, or -1. */
  const takeStep = (bytes: Buffer, start: number): number => {
    const thing = passBytes(bytes, start, thingName) < 0 ? undefined : scanThing(bytes, start + thingStart)
    if (thing !== undefined) return put(thing, sink, order) ? thing.end + 1 : -1
    const end = findValueEnd(bytes, start)
    const step = end < 0 ? undefined : readChange(parseJson(bytes.toString('utf8', start, end)))
    return put(step, sink, order) ? end : -1
  }

  const steps = findStepsWithEnd(line)
  if (steps[0] !== opening) return false
  for (let start = 1; ; ) {
    const end = takeStep(steps, start)
    if (end < 0) return false
    if (steps[end] !== comma) return passBytes(steps, end, lineEnd) === steps.length
    start = end + 1
  }
}
