import { isUtf8 } from 'node:buffer'
import { Refused } from '../refused.ts'
import type { Work } from '../slices.ts'
import { isJsonObject, parseJson } from './parse-json.ts'
import { parseLongObject } from './parse-long-json.ts'

const parameter = 'The request body'

/**
 * The fields of an `application/json` body, which has the parameters of the form as members of one object (contract,
 * requests). An empty body has no fields. Refused (`parameterInvalid`) are bytes that are not UTF-8, text that is not
 * JSON, and JSON that is no object.
 */
export const decodeJsonBody = (bytes: Buffer): [name: string, value: unknown][] => {
  if (bytes.length === 0) return []
  if (!isUtf8(bytes)) throw new Refused('parameterInvalid', { parameter, reason: 'is not UTF-8' })
  const body = parseJson(bytes.toString('utf8'), parameter)
  if (!isJsonObject(body)) throw new Refused('parameterInvalid', { parameter, reason: 'must be a JSON object' })
  return Object.entries(body)
}

/** The same as work that may be interrupted, for long bodies. */
export function* decodeLongJsonBody(bytes: Buffer): Work<[name: string, value: unknown][]> {
  const body = isUtf8(bytes) ? yield* parseLongObject(bytes) : undefined
  // What is wrong with it is told in the words for short ones.
  return body === undefined ? decodeJsonBody(bytes) : Object.entries(body)
}
