import { isUtf8 } from 'node:buffer'
import { Refused } from '../refused.ts'
import type { Work } from '../slices.ts'
import { createJsonMeter, type JsonLimits } from './check-json.ts'
import { beginsObject, parseObject } from './parse-json.ts'

const parameter = 'The request body'

const refuse = (reason: string) => new Refused('parameterInvalid', { parameter, reason })

/**
 * The fields of an `application/json` body, which has the parameters of the form as members of one object (contract,
 * requests). An empty body has no fields. Refused are bytes that are not UTF-8, JSON that is no object, text that is not
 * JSON (`parameterInvalid`), and before anything is parsed what is nested too deep or holds too much (`JsonMeter`).
 */
export function* decodeJsonBody(bytes: Buffer, limits: JsonLimits): Work<[name: string, value: unknown][]> {
  if (bytes.length === 0) return []
  if (!isUtf8(bytes)) throw refuse('is not UTF-8')
  yield* createJsonMeter(limits).check(bytes, parameter, 'between members and items')
  const body = yield* parseObject(bytes)
  if (body === undefined) throw refuse(beginsObject(bytes) ? 'is not valid JSON' : 'must be a JSON object')
  return Object.entries(body)
}
