import type { Reply } from '../client.ts'
import { isObject, type Json, type JsonObject, type Pair, parseJson, showValue } from '../encoding.ts'
import { expect } from '../expect.ts'
import type { Replica } from '../replica.ts'

/** Parameters by name. */
export type Fields = Readonly<Record<string, string>>

/** Requests an operation by GET. */
export const get = (replica: Replica, path: string, fields: Fields = {}): Promise<Reply> =>
  replica.send({ method: 'GET', path, query: Object.entries(fields) })

/** Requests an operation by POST with a form; use pairs for repeated names. */
export const post = (replica: Replica, path: string, fields: Fields | readonly Pair[] = {}): Promise<Reply> =>
  replica.send({ method: 'POST', path, form: isPairs(fields) ? fields : Object.entries(fields) })

/** Requests an operation by POST with a JSON body. */
export const postJson = (replica: Replica, path: string, body: Json): Promise<Reply> =>
  replica.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const isPairs = (fields: Fields | readonly Pair[]): fields is readonly Pair[] => Array.isArray(fields)

/** Describes status and beginning of a reply, for a finding. */
export const describeReply = (reply: Reply): string =>
  `${reply.status} ${showValue(parseJson(reply.text) ?? reply.text)} came`

/** Returns the JSON object of a response. @throws Finding for an error or any other response. */
export const expectObject = (reply: Reply, because: string): JsonObject => {
  const json = reply.json
  expect(
    reply.status === 200 && reply.error === undefined,
    `200 with a JSON object, because ${because}`,
    describeReply(reply),
    reply,
  )
  expect(json !== undefined, `a JSON object, because ${because}`, describeReply(reply), reply)
  return json
}

/** Returns the JSON array of a response. @throws Finding for an error or any other response. */
export const expectArray = (reply: Reply, because: string): readonly JsonObject[] => {
  const value = parseJson(reply.text)
  expect(
    reply.status === 200 && Array.isArray(value),
    `200 with a JSON array, because ${because}`,
    describeReply(reply),
    reply,
  )
  return value.filter(isObject)
}

/** Expects an error of the contract's error table: status, code, and a description that is not empty. */
export const expectError = (reply: Reply, status: number, code: string, because: string): void => {
  const description = reply.json?.error_description
  expect(
    reply.status === status && reply.error === code && typeof description === 'string' && description !== '',
    `${status} {"error": "${code}", "error_description": "…"}, because ${because}`,
    describeReply(reply),
    reply,
  )
}

/** Expects a position that is not before an earlier position of sync. */
export const expectPosition = (pos: unknown, before: number, reply: Reply): void => {
  const expected = `pos of at least ${before}, which sync gave before`
  expect(typeof pos === 'number' && pos >= before, expected, describeReply(reply), reply)
}

/** Returns the parameters without one of them. */
export const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name))
