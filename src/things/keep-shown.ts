import type { ThingForm } from '../store/store.ts'

const opening = '{"_id"'.length
const archivedEnd = ',"archived":true'.length
const closing = '}'.length

/**
 * What `showKept` was made of, up to the state of the thing: its returned form (interface 2.1) says everything else, in
 * the same words.
 */
export const keepShown: ThingForm['keepShown'] = (json, { archived, todoStatus }, isTodo) => {
  const todoEnd = isTodo ? `,"todoStatus":${todoStatus}`.length : 0
  const end = json.length - closing - todoEnd - (archived ? archivedEnd : 0)
  return `{"id"${json.slice(opening, end)},"archived":${archived},"todoStatus":${todoStatus}`
}
