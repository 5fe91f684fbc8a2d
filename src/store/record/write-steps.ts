import type { RegistryKind } from '../registry/registry.ts'
import { mapKinds, type RegistryChanges, registryKinds } from '../registry/registry-state.ts'
import { isErrand, isRecord, isTag, isTombstone, isWrittenThing } from './account-file.ts'
import type { Change, ErrandChange, OtherChange } from './change.ts'
import { registryShapes } from './registry-shapes.ts'
import { DamagedFile } from './sealed-json.ts'
import { isListOf, isObjectOf, isOptional, isText, type Shape } from './shape.ts'
import { encodeStoredThing, readWrittenThing, type WrittenThing } from './thing-step.ts'

/** The steps of a write that removed an account. */
export const removal = 'removed'

/** A step as JSON, all but those of things (`thing-step.ts`). */
export const encodeChange = (change: OtherChange): string => JSON.stringify(change)

/** Any step as JSON. A thing that is there as bytes is not to be made anew like this. */
export const encodeStep = (change: Change): string =>
  'thing' in change ? encodeStoredThing(change.thing) : encodeChange(change)

const isGroup = isObjectOf({ kind: isText, group: isText })
const isKey = isObjectOf({ kind: isText, group: isText, key: isText })

const errandShapes: readonly Shape[] = [
  isObjectOf({ errand: isErrand }),
  isObjectOf({ removedErrand: isObjectOf({ key: isText }) }),
]

const stepShapes: readonly Shape[] = [
  isObjectOf({ tombstone: isTombstone }),
  isObjectOf({ tag: isTag }),
  isObjectOf({ record: isRecord }),
  isObjectOf({ removedRecord: isKey }),
  isObjectOf({ removedRecords: isGroup }),
  ...errandShapes,
]

/** True for a step of a write that changes what is to be told. */
export const isErrandStep = (step: unknown): step is ErrandChange => errandShapes.some((shape) => shape(step))

const isChange = (step: unknown): step is OtherChange => stepShapes.some((shape) => shape(step))

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
