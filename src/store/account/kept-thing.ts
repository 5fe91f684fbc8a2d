import { createJsonCursor } from './json-cursor.ts'

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
 * Finds the parts of the thing that begins at `start` and ends at `limit` at the latest. Undefined when it is anything
 * but what JSON.stringify makes of a StoredThing with its keys in the usual order, even if that means the same. What is
 * given is used again for the next thing.
 */
export type ScanThing = (bytes: Buffer, start: number, limit: number) => KeptThing | undefined

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

/** A scanner for one thing after another. */
export const createThingScanner = (): ScanThing => {
  const { set, at, pass, passText, passInteger, readWhole, readFlag } = createJsonCursor()
  const thing = { ...noThing }

  const passContent = (): boolean => {
    if (!pass(idName)) return false
    thing.idStart = at()
    if (!passText()) return false
    thing.idEnd = at()
    if (!pass(titleName) || !passText() || !pass(tagsName)) return false
    thing.tagsStart = at()
    if (!passText()) return false
    thing.tagsEnd = at()
    return pass(dateName) && passInteger()
  }

  /** Passes `url` and `html` where they are there; empty ones are not written. */
  const passOptional = (): boolean => {
    const hasUrl = pass(urlName)
    thing.urlStart = hasUrl ? at() : 0
    if (hasUrl && !passText()) return false
    thing.urlEnd = hasUrl ? at() : 0
    if (hasUrl && thing.urlEnd - thing.urlStart === emptyText) return false
    if (pass(htmlName)) {
      const start = at()
      if (!passText() || at() - start === emptyText) return false
    }
    thing.contentEnd = at()
    return true
  }

  const passState = (): boolean => {
    if (!pass(archivedName)) return false
    const archived = readFlag()
    if (archived < 0 || !pass(todoStatusName)) return false
    const todoStatus = readFlag()
    thing.archived = archived === 1
    thing.todoStatus = todoStatus === 1
    return todoStatus >= 0
  }

  const passHistory = (): boolean => {
    if (!pass(positionName)) return false
    thing.position = readWhole()
    if (thing.position < 0 || !pass(createdPositionName)) return false
    thing.createdPosition = readWhole()
    if (thing.createdPosition < 0 || !pass(writerName)) return false
    thing.writerStart = at()
    if (!passText()) return false
    thing.writerEnd = at()
    if (!pass(othersPositionName)) return false
    thing.othersPosition = readWhole()
    return thing.othersPosition >= 0 && pass(closing)
  }

  return (bytes, start, limit) => {
    set(bytes, start)
    if (!(passContent() && passOptional() && passState() && passHistory()) || at() > limit) return undefined
    thing.bytes = bytes
    thing.start = start
    thing.end = at()
    return thing
  }
}
