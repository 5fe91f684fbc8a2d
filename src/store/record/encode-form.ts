import type { EncodedThing } from './encoded-thing.ts'

const archived = Buffer.from(',"archived":true')
const done = Buffer.from(',"todoStatus":true')
const notDone = Buffer.from(',"todoStatus":false')
const closing = Buffer.from('}')

const put = (bytes: Buffer, target: Buffer, offset: number): number => {
  for (let index = 0; index < bytes.length; index += 1) target[offset + index] = bytes[index] as number
  return offset + bytes.length
}

/**
 * Writes the returned form of a thing (interface 2.1) to `target` from `offset` on, as a todo or not; gives where it
 * ends. It is never longer than the thing's step.
 */
export const encodeForm = (thing: EncodedThing, isTodo: boolean, target: Buffer, offset: number): number => {
  const { bytes, start, formEnd, contentEnd } = thing
  if (thing.hasTodoStatus === isTodo) return offset + bytes.copy(target, offset, start, formEnd)
  let end = offset + bytes.copy(target, offset, start, contentEnd)
  if (thing.archived) end = put(archived, target, end)
  if (isTodo) end = put(thing.todoStatus ? done : notDone, target, end)
  return put(closing, target, end)
}
