import type { ThingForm } from '../store/store.ts'

const underscore = '_'.charCodeAt(0)
const archived = Buffer.from(',"archived":true')
const done = Buffer.from(',"todoStatus":true')
const notDone = Buffer.from(',"todoStatus":false')
const closing = Buffer.from('}')

const put = (bytes: Buffer, target: Buffer, offset: number): number => {
  target.set(bytes, offset)
  return offset + bytes.length
}

/**
 * The bytes of what `showThing` makes of a thing, made of those that it was kept in (interface 2.1): up to `html` both
 * have the same keys in the same order, but for the name of the first one.
 */
export const showKept: ThingForm['showKept'] = (thing, isTodo, target, offset) => {
  // `{"_id":` instead of `{"id":`.
  target[offset] = thing.bytes[thing.start] as number
  target[offset + 1] = thing.bytes[thing.start + 1] as number
  target[offset + 2] = underscore
  thing.bytes.copy(target, offset + 3, thing.start + 2, thing.contentEnd)
  let end = offset + 1 + thing.contentEnd - thing.start
  if (thing.archived) end = put(archived, target, end)
  if (isTodo) end = put(thing.todoStatus ? done : notDone, target, end)
  return put(closing, target, end)
}
