import type { Reply } from './client.ts'
import { isObject, type JsonObject, showValue } from './encoding.ts'
import type { Exchange } from './result.ts'
import { Finding } from './result.ts'
import type { SyncResponse } from './sync-messages.ts'

/** A response that came in an exchange: a Reply or a SyncResponse. */
export interface Seen {
  readonly exchange: Exchange
}

/**
 * Checks a condition. `expected` names the earlier step that it follows from, `actual` what came, `at` the exchange
 * (default: the last exchange of the rule).
 * @throws Finding when the condition is false.
 */
export function expect(condition: boolean, expected: string, actual: string, at?: Seen): asserts condition {
  if (!condition) throw new Finding(expected, actual, at?.exchange)
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns the differing fields of two objects with the same fields; otherwise both values. */
const findDifference = (actual: unknown, wanted: unknown): readonly [actual: unknown, wanted: unknown] => {
  if (!isObject(actual) || !isObject(wanted)) return [actual, wanted]
  if (!isSame(Object.keys(actual), Object.keys(wanted))) return [actual, wanted]
  const names = Object.keys(wanted).filter((name) => !isSame(actual[name], wanted[name]))
  const pick = (of: JsonObject) => Object.fromEntries(names.map((name) => [name, of[name]]))
  return [pick(actual), pick(wanted)]
}

/** Expects the same JSON value; for objects with the same fields the finding names only fields that differ. */
export const expectSame = (actual: unknown, wanted: unknown, expected: string, at: Seen): void => {
  const [came, missed] = findDifference(actual, wanted)
  expect(isSame(actual, wanted), `${expected}: ${showValue(missed)}`, `${showValue(came)} came`, at)
}

/** Returns the sorted set of a thing's tags: "space-separated" leaves order and repetition open (interface 2.1). */
export const readTags = (tags: unknown): string[] =>
  typeof tags === 'string' ? [...new Set(tags.split(' ').filter((tag) => tag !== ''))].sort() : []

/** Expects a field of a thing as it was sent; compares `tags` as sets. */
export const expectField = (thing: JsonObject, field: string, wanted: unknown, expected: string, at: Seen): void => {
  if (field !== 'tags') expectSame(thing[field], wanted, expected, at)
  else {
    expect(typeof thing.tags === 'string', `${expected}, as a string`, `${showValue(thing.tags)} came`, at)
    expectSame(readTags(thing.tags), readTags(wanted), `${expected}, as a set`, at)
  }
}

const describeThings = (response: SyncResponse): string =>
  `things.changed lists ${response.changed.length} (${showValue(response.changed.slice(0, 20), 400)}), things.deleted ${showValue(response.deleted.slice(0, 20), 400)}`

/** Returns the thing that `things.changed` lists under the ID. @throws Finding when it is not there. */
export const expectThing = (response: SyncResponse, id: string, because: string): JsonObject => {
  const thing = response.things.get(id)
  if (thing !== undefined) return thing
  throw new Finding(`thing ${id} in things.changed, because ${because}`, describeThings(response), response.exchange)
}

/** Expects that `things.changed` does not list the ID. */
export const expectNoThing = (response: SyncResponse, id: string, because: string): void =>
  expect(
    !response.things.has(id),
    `no thing ${id} in things.changed, because ${because}`,
    describeThings(response),
    response,
  )

/** Expects the ID in `things.deleted`. */
export const expectDeleted = (response: SyncResponse, id: string, because: string): void =>
  expect(
    response.deleted.includes(id),
    `${id} in things.deleted, because ${because}`,
    describeThings(response),
    response,
  )

/** Returns the settings that `tags` lists under the name. @throws Finding when they are not there. */
export const expectTag = (response: SyncResponse, name: string, because: string): JsonObject => {
  const settings = response.tags.get(name)
  if (settings !== undefined) return settings
  const came =
    response.tags.size === 0
      ? 'tags lists none'
      : `tags lists ${showValue([...response.tags.keys()].slice(0, 20), 400)}`
  throw new Finding(`the settings of tag ${name} in tags, because ${because}`, came, response.exchange)
}

/** Expects an error object (interface 7). Status and code are the server's choice. */
export const expectErrorResponse = (reply: Reply, because: string): void =>
  expect(
    reply.error !== undefined,
    `an error object {"error": "…"}, because ${because}`,
    reply.json === undefined
      ? `${reply.status} ${showValue(reply.text, 200)}`
      : `${reply.status} ${showValue(reply.json)}`,
    reply,
  )

/** Returns the server's ID that things.new gives for the client-assigned ID. @throws Finding when there is none. */
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
