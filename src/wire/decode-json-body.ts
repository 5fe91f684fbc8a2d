import { isUtf8 } from 'node:buffer'
import { Refused } from '../refused.ts'
import type { Work } from '../slices.ts'
import { createJsonMeter, type JsonLimits } from './check-json.ts'
import { isJsonObject, parseJson } from './parse-json.ts'
import { parseLongObject } from './parse-long-json.ts'

const parameter = 'The request body'

const refuse = (reason: string) => new Refused('parameterInvalid', { parameter, reason })

/**
 * The fields of an `application/json` body, which has the parameters of the form as members of one object (contract,
 * requests). An empty body has no fields. Refused are bytes that are not UTF-8, text that is not JSON, JSON that is no
 * object (`parameterInvalid`), and before anything is parsed what is nested too deep or holds too much (`JsonMeter`).
 */
export const decodeJsonBody = (bytes: Buffer, limits: JsonLimits): [name: string, value: unknown][] => {
  if (bytes.length === 0) return []
  if (!isUtf8(bytes)) throw refuse('is not UTF-8')
  // A shorter one cannot be nested too deep.
  if (bytes.length > limits.jsonDepth) createJsonMeter(limits).check(bytes, parameter)
  const body = parseJson(bytes.toString('utf8'), parameter)
  if (!isJsonObject(body)) throw refuse('must be a JSON object')
  return Object.entries(body)
}

/** The same as work that may be interrupted, for long bodies. */
export function* decodeLongJsonBody(bytes: Buffer, limits: JsonLimits): Work<[name: string, value: unknown][]> {
  if (!isUtf8(bytes)) throw refuse('is not UTF-8')
  yield* createJsonMeter(limits).checkLong(bytes, parameter, 'between members and items')
  const body = yield* parseLongObject(bytes)
  if (body === undefined) throw refuse('is not a valid JSON object')
  return Object.entries(body)
}
