import type { ThingForm } from '../store/store.ts'

const opening = Buffer.from('{"_')
const archived = Buffer.from(',"archived":true')
const done = Buffer.from(',"todoStatus":true')
const notDone = Buffer.from(',"todoStatus":false')
const closing = Buffer.from('}')

const put = (bytes: Buffer, target: Buffer, offset: number): number => {
  for (let index = 0; index < bytes.length; index += 1) target[offset + index] = bytes[index] as number
  return offset + bytes.length
}

/**
 * The bytes of what `showThing` makes of a thing, made of those that it was kept in (interface 2.1): up to `html` both
 * have the same keys in the same order, but for the name of the first one.
 */
export const showKept: ThingForm['showKept'] = (thing, isTodo, target, offset) => {
  const { bytes, start, contentEnd } = thing
  // `{"_id":` instead of `{"id":`.
  let end = put(opening, target, offset)
  // For so few bytes a call of `copy` would take longer.
  for (let from = start + 2; from < contentEnd; from += 1, end += 1) target[end] = bytes[from] as number
  if (thing.archived) end = put(archived, target, end)
  if (isTodo) end = put(thing.todoStatus ? done : notDone, target, end)
  return put(closing, target, end)
}
