import type { Reply } from './client.ts'
import { isObject, type JsonObject, showValue } from './encoding.ts'
import type { Exchange } from './result.ts'
import { Finding } from './result.ts'
import type { SyncResponse } from './sync-messages.ts'

/** Something that came in an exchange: a Reply or a SyncAnswer. */
export interface Seen {
  readonly exchange: Exchange
}

/**
 * Throws a Finding unless the condition holds; `expected` names the earlier step it follows from, `actual` what came,
 * `at` where (default: the last exchange).
 */
export function expect(condition: boolean, expected: string, actual: string, at?: Seen): asserts condition {
  if (!condition) throw new Finding(expected, actual, at?.exchange)
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Of two objects with the same fields, those that differ. */
const findDifference = (actual: unknown, wanted: unknown): readonly [actual: unknown, wanted: unknown] => {
  if (!isObject(actual) || !isObject(wanted)) return [actual, wanted]
  if (!isSame(Object.keys(actual), Object.keys(wanted))) return [actual, wanted]
  const names = Object.keys(wanted).filter((name) => !isSame(actual[name], wanted[name]))
  const pick = (of: JsonObject) => Object.fromEntries(names.map((name) => [name, of[name]]))
  return [pick(actual), pick(wanted)]
}

/** Expects the same JSON value; of objects with the same fields the finding names only those that differ. */
export const expectSame = (actual: unknown, wanted: unknown, expected: string, at: Seen): void => {
  const [came, missed] = findDifference(actual, wanted)
  expect(isSame(actual, wanted), `${expected}: ${showValue(missed)}`, `${showValue(came)} came`, at)
}

/** The tags of a thing as a set: "space-separated" says neither in which order nor how often (interface 2.1). */
export const readTags = (tags: unknown): string[] =>
  typeof tags === 'string' ? [...new Set(tags.split(' ').filter((tag) => tag !== ''))].sort() : []

/** Expects a field of a thing as it was sent; `tags` as the same set of tags. */
export const expectField = (thing: JsonObject, field: string, wanted: unknown, expected: string, at: Seen): void => {
  if (field !== 'tags') expectSame(thing[field], wanted, expected, at)
  else {
    expect(typeof thing.tags === 'string', `${expected}, as a string`, `${showValue(thing.tags)} came`, at)
    expectSame(readTags(thing.tags), readTags(wanted), `${expected}, as a set`, at)
  }
}

const describeThings = (response: SyncResponse): string =>
  `things.changed lists ${response.changed.length} (${showValue(response.changed.slice(0, 20), 400)}), things.deleted ${showValue(response.deleted.slice(0, 20), 400)}`

/** The thing listed in `things.changed` under the id; a Finding when it is not there. */
export const expectThing = (response: SyncResponse, id: string, because: string): JsonObject => {
  const thing = response.things.get(id)
  if (thing !== undefined) return thing
  throw new Finding(`thing ${id} in things.changed, because ${because}`, describeThings(response), response.exchange)
}

/** Expects that `things.changed` does not list the id. */
export const expectNoThing = (response: SyncResponse, id: string, because: string): void =>
  expect(
    !response.things.has(id),
    `no thing ${id} in things.changed, because ${because}`,
    describeThings(response),
    response,
  )

/** Expects the id in `things.deleted`. */
export const expectDeleted = (response: SyncResponse, id: string, because: string): void =>
  expect(
    response.deleted.includes(id),
    `${id} in things.deleted, because ${because}`,
    describeThings(response),
    response,
  )

/** The settings listed in `tags` under the name; a Finding when they are not there. */
export const expectTag = (response: SyncResponse, name: string, because: string): JsonObject => {
  const settings = response.tags.get(name)
  if (settings !== undefined) return settings
  const came =
    response.tags.size === 0
      ? 'tags lists none'
      : `tags lists ${showValue([...response.tags.keys()].slice(0, 20), 400)}`
  throw new Finding(`the settings of tag ${name} in tags, because ${because}`, came, response.exchange)
}

/** Expects a refusal: an error object (interface 7). Status and code are the server's choice. */
export const expectErrorResponse = (reply: Reply, because: string): void =>
  expect(
    reply.error !== undefined,
    `an error object {"error": "…"}, because ${because}`,
    reply.json === undefined
      ? `${reply.status} ${showValue(reply.text, 200)}`
      : `${reply.status} ${showValue(reply.json)}`,
    reply,
  )

/** The server id that things.new gives for the local id; a Finding without one. */
export const expectCreated = (response: SyncResponse, localId: string): string => {
  const id = response.created.get(localId)
  const came = showValue(isObject(response.json.things) ? response.json.things.new : undefined)
  expect(
    id !== undefined,
    `things.new with an entry for local_id ${localId}, which was submitted`,
    `${came} came`,
    response,
  )
  return id
}
