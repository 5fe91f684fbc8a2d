import type { Reply } from './client.ts'
import { Finding } from './finding.ts'
import { isObject, type Json, type JsonObject, listOf, showValue } from './json.ts'
import type { Exchange } from './result.ts'

/**
 * An answer of sync (interface 4.3), read leniently: what is missing or of another type reads as empty, and `json` has
 * it as it came.
 */
export interface SyncAnswer {
  readonly pos: number
  readonly json: JsonObject
  /** `things.new`: server id by local id. */
  readonly created: ReadonlyMap<string, string>
  /** `things.changed` by id, as they came; of a thing listed twice the last one. */
  readonly things: ReadonlyMap<string, JsonObject>
  /** Ids of `things.changed` in the order listed, repetitions included. */
  readonly changed: readonly string[]
  readonly deleted: readonly string[]
  readonly tags: ReadonlyMap<string, JsonObject>
  readonly reply: Reply
  readonly exchange: Exchange
}

const entriesOf = (value: Json | undefined): [string, Json][] => (isObject(value) ? Object.entries(value) : [])
const idOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
const isId = (id: string | undefined): id is string => id !== undefined

/** Whether the reply is a sync answer: a JSON object with a numeric position and no error. */
export const isSyncAnswer = (reply: Reply): boolean =>
  reply.error === undefined && typeof reply.json?.pos === 'number' && reply.status < 400

const describeFailure = (reply: Reply): string => {
  if (!reply.isUtf8) return `${reply.status} with a body that is not UTF-8`
  if (reply.json === undefined)
    return `${reply.status} with a body that is no JSON object: ${showValue(reply.text, 200)}`
  return `${reply.status} ${showValue(reply.json)}`
}

/** Reads a sync answer; throws a Finding when the reply is none. */
export const readSyncAnswer = (reply: Reply, what: string): SyncAnswer => {
  const json = reply.json
  const pos = json?.pos
  if (json === undefined || typeof pos !== 'number' || !isSyncAnswer(reply)) {
    throw new Finding(
      `${what} to be answered with a JSON object with a numeric pos`,
      describeFailure(reply),
      reply.exchange,
    )
  }
  const things = isObject(json.things) ? json.things : {}
  const listed = listOf(things.changed).filter(isObject)
  const changed = listed.flatMap((thing): [string, JsonObject][] => {
    const id = idOf(thing._id)
    return id === undefined ? [] : [[id, thing]]
  })
  return {
    pos,
    json,
    created: new Map(
      entriesOf(things.new).flatMap(([localId, id]): [string, string][] => {
        const text = idOf(id)
        return text === undefined ? [] : [[localId, text]]
      }),
    ),
    things: new Map(changed),
    changed: changed.map(([id]) => id),
    deleted: listOf(things.deleted).map(idOf).filter(isId),
    tags: new Map(entriesOf(json.tags).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))),
    reply,
    exchange: reply.exchange,
  }
}
