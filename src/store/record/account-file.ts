import { thingFields } from '../../../generated/thing-fields.ts'
import type { TagSettings } from '../model.ts'
import type { StoredErrand, StoredRecord, StoredTag, Tombstone } from './change.ts'
import { isFlag, isListOf, isNumber, isObjectOf, isOneOf, isOptional, isPosition, isText, type Shape } from './shape.ts'
import type { WrittenThing } from './thing-step.ts'

const kindShapes = { text: isText, number: isNumber, integer: isNumber, flag: isFlag } as const

const fieldShapes = Object.entries(thingFields).map(([name, { kind, presence }]) => {
  const shape = kindShapes[kind]
  return [name, presence === 'always' ? shape : isOptional(shape)] as const
})

/** What the step of a thing looks like (`thing-step.ts`). */
export const isWrittenThing = isObjectOf<WrittenThing>({
  thing: isObjectOf({ _id: isText, ...Object.fromEntries(fieldShapes) }),
  at: (value) => isListOf(isPosition)(value) && (value as readonly number[]).length === 3,
  by: isText,
  todoStatus: isOptional(isFlag),
})

/** What the settings of a tag look like in a file. */
export const isTag = isObjectOf<StoredTag>({
  name: isText,
  position: isPosition,
  settings: isObjectOf<TagSettings>({
    favorite: isFlag,
    color: (value) => value === false || isText(value),
    todo: isOneOf(false, 'strike', 'dont-strike'),
  }),
})

/** What an errand of an account looks like in a file. */
export const isErrand = isObjectOf<StoredErrand>({ key: isText, dueAt: isNumber })

const isPresent: Shape = (value) => value !== undefined

/** What a tombstone looks like in a file. */
export const isTombstone = isObjectOf<Tombstone>({ id: isText, position: isPosition, createdPosition: isPosition })

/** What a record looks like in a file. */
export const isRecord = isObjectOf<StoredRecord>({ kind: isText, group: isText, key: isText, value: isPresent })
