import type { Reply } from '../client.ts'
import { isSyncAnswer, readSyncAnswer } from '../sync-answer.ts'
import { type Fields, readColor, readFields } from './thing-fields.ts'

/** A sync answer (interface 4.3), as far as histories look at it. */
export interface Answer {
  readonly position: number
  /** Listed things by `_id`; of a thing listed twice the last one. */
  readonly changed: ReadonlyMap<string, Fields>
  readonly deleted: ReadonlySet<string>
  /** Ids listed more than once, in `things.changed` and `things.deleted` together. */
  readonly twice: ReadonlySet<string>
  /** Colors by tag name. */
  readonly colors: ReadonlyMap<string, string>
  /** Given `_id` by local id. */
  readonly ids: ReadonlyMap<string, string>
  /** 0 when the answer has none. */
  readonly thingCount: number
}

/** Reads an answer; undefined when it is no sync answer. */
export const readAnswer = (reply: Reply): Answer | undefined => {
  if (!isSyncAnswer(reply)) return undefined
  const { pos, things, changed, deleted, tags, created, json } = readSyncAnswer(reply, 'a sync')
  const listed = [...changed, ...deleted]
  return {
    position: pos,
    changed: new Map([...things].map(([id, thing]) => [id, readFields(thing)])),
    deleted: new Set(deleted),
    twice: new Set(listed.filter((id, index) => listed.indexOf(id) !== index)),
    colors: new Map([...tags].map(([name, settings]) => [name, readColor(settings)])),
    ids: created,
    thingCount: typeof json.thingCount === 'number' ? json.thingCount : 0,
  }
}
