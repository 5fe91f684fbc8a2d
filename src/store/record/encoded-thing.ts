import { thingFields } from '../../../generated/thing-fields.ts'
import type { FieldKind, FieldName, FieldsShown } from '../../thing-table.ts'
import { passBytes, passNumber, passText, passWhole, readWhole } from './json-bytes.ts'

const noThing = {
  bytes: Buffer.alloc(0) as Buffer,
  /** The returned form stands from here … */
  start: 0,
  /** … to here. */
  formEnd: 0,
  /** Where the brace stands that closes the step. */
  end: 0,
  idStart: 0,
  idEnd: 0,
  tagsStart: 0,
  tagsEnd: 0,
  /** Both 0 without a url. */
  urlStart: 0,
  urlEnd: 0,
  /** Where in the returned form its state begins: `archived`, `todoStatus`, and the closing brace. */
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
 * A version of a thing as the bytes of its step (`thing-step.ts`), and where its parts are. Parts that are texts are JSON
 * too, quotes included.
 */
export type EncodedThing = typeof noThing

/**
 * Finds the parts of the thing whose returned form begins at `start`. Undefined when it is anything but what
 * `encodeThingStep` writes. What is given is used again for the next thing.
 */
export type ScanThing = (bytes: Buffer, start: number) => EncodedThing | undefined

const idName = Buffer.from('{"_id":')
// What stands behind the content, read below by name.
const stateNames = {
  archived: Buffer.from(',"archived":true'),
  todoStatus: Buffer.from(',"todoStatus":'),
} satisfies Record<FieldsShown<'true' | 'todo'>, Buffer>
const placeName = Buffer.from('},"at":[')
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

/** The fields of the content, in their order. */
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

/** A scanner for one thing after another. */
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

  const passPlace = (bytes: Buffer, start: number): number => {
    const positionStart = passBytes(bytes, start, placeName)
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
    const end = passPlace(bytes, stateEnd)
    if (end < 0 || bytes[end] !== closing) return undefined
    thing.bytes = bytes
    thing.start = start
    thing.contentEnd = contentEnd
    thing.formEnd = stateEnd + 1
    thing.end = end
    return thing
  }
}
