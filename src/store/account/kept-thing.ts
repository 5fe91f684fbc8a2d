import { passBytes, passInteger, passText, passWhole, readWhole } from './json-bytes.ts'

/**
 * A thing as it stands in a file: a StoredThing as JSON, in `bytes` from `start` to `end`, and where its parts are.
 * Parts that are texts are JSON too, quotes included.
 */
export interface KeptThing {
  bytes: Buffer
  start: number
  end: number
  idStart: number
  idEnd: number
  tagsStart: number
  tagsEnd: number
  /** Both 0 without a url. */
  urlStart: number
  urlEnd: number
  /** Before it stand the keys from `id` to `html`, in the order of Thing; behind it begins `,"archived":`. */
  contentEnd: number
  archived: boolean
  todoStatus: boolean
  position: number
  createdPosition: number
  writerStart: number
  writerEnd: number
  othersPosition: number
}

/**
 * Finds the parts of the thing that begins at `start`. Undefined when it is anything but what JSON.stringify makes of a
 * StoredThing with its keys in the usual order, even if that means the same. What is given is used again for the next
 * thing.
 */
export type ScanThing = (bytes: Buffer, start: number) => KeptThing | undefined

const idName = Buffer.from('{"id":')
const titleName = Buffer.from(',"title":')
const tagsName = Buffer.from(',"tags":')
const dateName = Buffer.from(',"date":')
const urlName = Buffer.from(',"url":')
const htmlName = Buffer.from(',"html":')
const archivedName = Buffer.from(',"archived":')
const todoStatusName = Buffer.from(',"todoStatus":')
const positionName = Buffer.from(',"position":')
const createdPositionName = Buffer.from(',"createdPosition":')
const writerName = Buffer.from(',"writer":')
const othersPositionName = Buffer.from(',"othersPosition":')
const closing = Buffer.from('}')
const yes = Buffer.from('true')
const no = Buffer.from('false')
const emptyText = '""'.length

const noThing: KeptThing = {
  bytes: Buffer.alloc(0),
  start: 0,
  end: 0,
  idStart: 0,
  idEnd: 0,
  tagsStart: 0,
  tagsEnd: 0,
  urlStart: 0,
  urlEnd: 0,
  contentEnd: 0,
  archived: false,
  todoStatus: false,
  position: 0,
  createdPosition: 0,
  writerStart: 0,
  writerEnd: 0,
  othersPosition: 0,
}

/** Passes a text under a name, if the name is there; an empty one is not written. */
const passOptional = (bytes: Buffer, start: number, name: Buffer): number => {
  const textStart = passBytes(bytes, start, name)
  if (textStart < 0) return start
  const end = passText(bytes, textStart)
  return end - textStart === emptyText ? -1 : end
}

/** Passes `false` or `true`, which is a byte shorter. */
const passFlag = (bytes: Buffer, start: number): number => {
  const end = passBytes(bytes, start, no)
  return end < 0 ? passBytes(bytes, start, yes) : end
}

/** A scanner for one thing after another. */
export const createThingScanner = (): ScanThing => {
  const thing = { ...noThing }

  const passContent = (bytes: Buffer, start: number): number => {
    thing.idStart = passBytes(bytes, start, idName)
    thing.idEnd = passText(bytes, thing.idStart)
    const titleEnd = passText(bytes, passBytes(bytes, thing.idEnd, titleName))
    thing.tagsStart = passBytes(bytes, titleEnd, tagsName)
    thing.tagsEnd = passText(bytes, thing.tagsStart)
    const dateEnd = passInteger(bytes, passBytes(bytes, thing.tagsEnd, dateName))
    const urlEnd = passOptional(bytes, dateEnd, urlName)
    thing.urlStart = urlEnd > dateEnd ? dateEnd + urlName.length : 0
    thing.urlEnd = urlEnd > dateEnd ? urlEnd : 0
    return passOptional(bytes, urlEnd, htmlName)
  }

  const passState = (bytes: Buffer, start: number): number => {
    const archivedStart = passBytes(bytes, start, archivedName)
    const archivedEnd = passFlag(bytes, archivedStart)
    const todoStart = passBytes(bytes, archivedEnd, todoStatusName)
    const todoEnd = passFlag(bytes, todoStart)
    thing.archived = archivedEnd - archivedStart === yes.length
    thing.todoStatus = todoEnd - todoStart === yes.length
    return todoEnd
  }

  const passNumber = (bytes: Buffer, start: number, name: Buffer): number =>
    passWhole(bytes, passBytes(bytes, start, name))

  const passHistory = (bytes: Buffer, start: number): number => {
    const positionEnd = passNumber(bytes, start, positionName)
    const createdEnd = passNumber(bytes, positionEnd, createdPositionName)
    thing.writerStart = passBytes(bytes, createdEnd, writerName)
    thing.writerEnd = passText(bytes, thing.writerStart)
    const othersEnd = passNumber(bytes, thing.writerEnd, othersPositionName)
    if (othersEnd < 0) return -1
    thing.position = readWhole(bytes, start + positionName.length, positionEnd)
    thing.createdPosition = readWhole(bytes, positionEnd + createdPositionName.length, createdEnd)
    thing.othersPosition = readWhole(bytes, thing.writerEnd + othersPositionName.length, othersEnd)
    return passBytes(bytes, othersEnd, closing)
  }

  return (bytes, start) => {
    const contentEnd = passContent(bytes, start)
    const end = passHistory(bytes, passState(bytes, contentEnd))
    if (end < 0) return undefined
    thing.bytes = bytes
    thing.start = start
    thing.contentEnd = contentEnd
    thing.end = end
    return thing
  }
}
