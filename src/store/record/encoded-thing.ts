import { thingFields } from '../../../generated/thing-fields.ts'
import {
  type FieldKind,
  type FieldName,
  type FieldsShown,
  type OptionalField,
  pickOptionalFields,
} from '../../thing-table.ts'
import type { StoredThing, Thing } from '../model.ts'
import { passBytes, passNumber, passText, passWhole, readWhole } from './json.ts'

const noThing = {
  bytes: Buffer.alloc(0) as Buffer,
  /** The returned form begins here … */
  start: 0,
  /** … and ends here. */
  formEnd: 0,
  /** The offset of the brace that closes the step. */
  end: 0,
  idStart: 0,
  idEnd: 0,
  tagsStart: 0,
  tagsEnd: 0,
  /** Both are 0 without a URL. */
  urlStart: 0,
  urlEnd: 0,
  /** The offset in the returned form where the state begins: `archived`, `todoStatus`, and the closing brace. */
  contentEnd: 0,
  archived: false,
  todoStatus: false,
  /** True when the returned form shows `todoStatus`. */
  hasTodoStatus: false,
  position: 0,
  createdPosition: 0,
  writerStart: 0,
  writerEnd: 0,
  othersPosition: 0,
}

/**
 * A version of a thing as the bytes of its step, with the offsets of its parts. Parts that are strings are JSON, with
 * quotes.
 */
export type EncodedThing = typeof noThing

/**
 * Finds the parts of the thing whose returned form begins at `start`. Returns undefined for anything that
 * `encodeThingStep` does not write. The next call reuses the returned object.
 */
type ScanThing = (bytes: Buffer, start: number) => EncodedThing | undefined

const idName = Buffer.from('{"_id":')
// The members after the content, which are read by name below.
const stateNames = {
  archived: Buffer.from(',"archived":true'),
  todoStatus: Buffer.from(',"todoStatus":'),
} satisfies Record<FieldsShown<'true' | 'todo'>, Buffer>
const positionName = Buffer.from('},"at":[')
const comma = Buffer.from(',')
const writerName = Buffer.from('],"by":')
const hiddenStatus = Buffer.from(',"todoStatus":true')
const yes = Buffer.from('true')
const no = Buffer.from('false')
const emptyText = '""'.length
const closing = 0x7d

/** Passes `false` or `true`, which is a byte shorter. */
const passFlag = (bytes: Buffer, start: number): number => {
  const end = passBytes(bytes, start, no)
  return end < 0 ? passBytes(bytes, start, yes) : end
}

const passValue = { text: passText, number: passNumber, integer: passNumber, flag: passFlag } as const

/** The fields of the content, in order. */
const content = Object.entries(thingFields)
  .filter(([name]) => !Object.hasOwn(stateNames, name))
  .map(([name, { kind, presence }]: readonly [string, FieldKind]) => ({
    name: Buffer.from(`,"${name}":`),
    pass: passValue[kind],
    isAlways: presence === 'always',
    isNotEmpty: presence === 'notEmpty',
    isTags: name === ('tags' satisfies FieldName),
    isUrl: name === ('url' satisfies FieldName),
  }))

/** Passes these bytes, if they are there. */
const passMark = (bytes: Buffer, start: number, mark: Buffer): number => {
  if (start < 0) return -1
  const end = passBytes(bytes, start, mark)
  return end < 0 ? start : end
}

/** Creates a scanner for one thing after another. */
export const createThingScanner = (): ScanThing => {
  const thing = { ...noThing }

  const passContent = (bytes: Buffer, start: number): number => {
    thing.idStart = passBytes(bytes, start, idName)
    thing.idEnd = passText(bytes, thing.idStart)
    thing.urlStart = 0
    thing.urlEnd = 0
    let end = thing.idEnd
    for (const { name, pass, isAlways, isNotEmpty, isTags, isUrl } of content) {
      const valueStart = passBytes(bytes, end, name)
      if (valueStart < 0) {
        if (isAlways) return -1
        continue
      }
      end = pass(bytes, valueStart)
      if (end < 0 || (isNotEmpty && end - valueStart === emptyText)) return -1
      if (isTags) {
        thing.tagsStart = valueStart
        thing.tagsEnd = end
      } else if (isUrl) {
        thing.urlStart = valueStart
        thing.urlEnd = end
      }
    }
    return end
  }

  const passState = (bytes: Buffer, start: number): number => {
    const archivedEnd = passMark(bytes, start, stateNames.archived)
    const todoStart = passBytes(bytes, archivedEnd, stateNames.todoStatus)
    thing.archived = archivedEnd > start
    thing.hasTodoStatus = todoStart > 0
    if (todoStart < 0) return archivedEnd
    const todoEnd = passFlag(bytes, todoStart)
    thing.todoStatus = todoEnd - todoStart === yes.length
    return todoEnd
  }

  const passMetadata = (bytes: Buffer, start: number): number => {
    const positionStart = passBytes(bytes, start, positionName)
    const positionEnd = passWhole(bytes, positionStart)
    const createdStart = passBytes(bytes, positionEnd, comma)
    const createdEnd = passWhole(bytes, createdStart)
    const othersStart = passBytes(bytes, createdEnd, comma)
    const othersEnd = passWhole(bytes, othersStart)
    thing.writerStart = passBytes(bytes, othersEnd, writerName)
    thing.writerEnd = passText(bytes, thing.writerStart)
    if (thing.writerEnd < 0) return -1
    thing.position = readWhole(bytes, positionStart, positionEnd)
    thing.createdPosition = readWhole(bytes, createdStart, createdEnd)
    thing.othersPosition = readWhole(bytes, othersStart, othersEnd)
    if (thing.hasTodoStatus) return thing.writerEnd
    const end = passMark(bytes, thing.writerEnd, hiddenStatus)
    thing.todoStatus = end > thing.writerEnd
    return end
  }

  return (bytes, start) => {
    const contentEnd = passContent(bytes, start)
    const stateEnd = passState(bytes, contentEnd)
    const end = passMetadata(bytes, stateEnd)
    if (end < 0 || bytes[end] !== closing) return undefined
    thing.bytes = bytes
    thing.start = start
    thing.contentEnd = contentEnd
    thing.formEnd = stateEnd + 1
    thing.end = end
    return thing
  }
}

const archived = Buffer.from(',"archived":true')
const done = Buffer.from(',"todoStatus":true')
const notDone = Buffer.from(',"todoStatus":false')
const closingBrace = Buffer.from('}')

const put = (bytes: Buffer, target: Buffer, offset: number): number => {
  for (let index = 0; index < bytes.length; index += 1) target[offset + index] = bytes[index] as number
  return offset + bytes.length
}

/**
 * Writes the returned form of a thing (interface 2.1) to `target` from `offset` on, as a todo or not. Returns the end
 * offset. The form is never longer than the thing's step.
 */
export const encodeForm = (thing: EncodedThing, isTodo: boolean, target: Buffer, offset: number): number => {
  const { bytes, start, formEnd, contentEnd } = thing
  if (thing.hasTodoStatus === isTodo) return offset + bytes.copy(target, offset, start, formEnd)
  let end = offset + bytes.copy(target, offset, start, contentEnd)
  if (thing.archived) end = put(archived, target, end)
  if (isTodo) end = put(thing.todoStatus ? done : notDone, target, end)
  return put(closingBrace, target, end)
}

/**
 * # The step of a thing
 *
 * A version of a thing is the same JSON in a line of the journal and in the file of its account:
 *
 *     {"thing":{"_id":"a1","title":"Milk","tags":"shop","date":1700000000},"at":[12,7,0],"by":"session"}
 *
 * - `thing`: the returned form (interface 2.1) at the time of the write, keys in the order of that table, as
 *   JSON.stringify writes them. A listing contains the same bytes. `url` and `html` are present when they are not
 *   empty, `archived` when it is true, and `todoStatus` when one of its tags made it a todo. If the settings of its
 *   tags have changed since, a reader shows or hides `todoStatus` accordingly.
 * - `at`: three positions: of this version; of the creation; of the last change by a session other than the writer, 0
 *   when there is none.
 * - `by`: the id of the session that wrote it.
 * - `todoStatus`: only `true`, and only when the returned form does not show that the todo is completed.
 */
export interface WrittenThing {
  readonly thing: Pick<Thing, FieldsShown<'always'> | OptionalField> &
    Partial<Pick<Thing, FieldsShown<'true' | 'todo'>>> & { readonly _id: string }
  readonly at: readonly [position: number, createdPosition: number, othersPosition: number]
  readonly by: string
  readonly todoStatus?: true
}

const opening = '{"thing":'

/** The offset of the returned form of a thing in its step. */
export const thingStart = opening.length

/** The positions of a version of a thing, and its writer as JSON. */
interface EncodedMetadata extends Pick<StoredThing, 'position' | 'createdPosition' | 'othersPosition'> {
  readonly writerJson: string
}

/** Encodes the part of a step after the returned form, without the closing brace. */
export const encodeMetadata = (
  { position, createdPosition, othersPosition, writerJson }: EncodedMetadata,
  isHiddenDone: boolean,
): string =>
  `,"at":[${position},${createdPosition},${othersPosition}],"by":${writerJson}${isHiddenDone ? ',"todoStatus":true' : ''}`

/** Encodes the step of a thing whose returned form is `json`. */
export const encodeThingStep = (
  json: string,
  thing: Pick<Thing, 'todoStatus'>,
  isTodo: boolean,
  metadata: EncodedMetadata,
) => `${opening}${json}${encodeMetadata(metadata, thing.todoStatus && !isTodo)}}`

type Returned<Presence extends string> = Pick<Thing, FieldsShown<Presence>> & { readonly _id: string }

const toWritten = (thing: StoredThing): WrittenThing => {
  const { id, title, tags, date, archived, todoStatus } = thing
  return {
    thing: {
      ...({ _id: id, title, tags, date } satisfies Returned<'always'>),
      ...pickOptionalFields(thing),
      ...(archived ? ({ archived } satisfies Record<FieldsShown<'true'>, boolean>) : {}),
    },
    at: [thing.position, thing.createdPosition, thing.othersPosition],
    by: thing.writer,
    ...(todoStatus ? { todoStatus } : {}),
  }
}

/** Encodes the step of a thing when the settings of its tags are unknown: as if it were no todo. */
export const encodeStoredThing = (thing: StoredThing): string => JSON.stringify(toWritten(thing))

/** Reads the thing of a parsed step. */
export const readWrittenThing = ({ thing, at, by, todoStatus: isHiddenDone }: WrittenThing): StoredThing => {
  const { _id: id, title, tags, date, archived = false, todoStatus = isHiddenDone ?? false } = thing
  const [position, createdPosition, othersPosition] = at
  return {
    ...{ id, title, tags, date },
    ...pickOptionalFields(thing),
    ...{ archived, todoStatus, position, createdPosition, writer: by, othersPosition },
  }
}
