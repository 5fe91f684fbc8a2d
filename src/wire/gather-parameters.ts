import { Refused } from '../refused.ts'
import { runWhole, type Work } from '../slices.ts'
import { gatherList } from './gather-list.ts'
import { gatherMap } from './gather-map.ts'
import type { Gatherer, Spelling } from './gatherer.ts'
import { declaredProperties, itemSchema, type JsonSchema, mapValueSchema, type ObjectSchema } from './json-schema.ts'
import { parseLongArray } from './parse-long-json.ts'
import { showName } from './show-name.ts'

/**
 * Puts the fields of a request together into the shape that `schema` declares for it (interface 4.3, submitting several
 * things; contract, requests): one value, a list from any of `p`, `p[]` and `p[0]`, a map from `p`, `p[<name>]` and
 * `p[<name>][<field>]`. Fields that the schema does not declare, and those that are null, are ignored. Refused (`parameterInvalid`) are a single
 * value given twice, a declared parameter with brackets that mean nothing, and broken JSON. Values are not validated
 * and their spelling is left as it is (see `coerce`).
 */
export const gatherParameters = (
  fields: Iterable<readonly [name: string, value: unknown]>,
  schema: ObjectSchema,
  spelling: Spelling,
): Record<string, unknown> => runWhole(gatherLong(fields, schema, spelling))

/** The same as work that may be interrupted; values may be the bytes of long texts. */
export function* gatherLong(
  fields: Iterable<readonly [name: string, value: unknown]>,
  schema: ObjectSchema,
  spelling: Spelling,
): Work<Record<string, unknown>> {
  const declared = declaredProperties(schema)
  const gatherers = new Map<string, Gatherer>()
  for (const [name, value] of fields) {
    const bracket = name.indexOf('[')
    const parameter = bracket < 0 ? name : name.slice(0, bracket)
    const parameterSchema = declared.get(parameter)
    if (parameterSchema === undefined || value === null) continue
    let gatherer = gatherers.get(parameter)
    if (gatherer === undefined) {
      gatherer = createGatherer(parameter, parameterSchema, spelling)
      gatherers.set(parameter, gatherer)
    }
    const given = Buffer.isBuffer(value) ? yield* readLong(value, parameterSchema) : value
    gatherer.add(bracket < 0 ? '' : name.slice(bracket), given)
    yield
  }
  const gathered: Record<string, unknown> = {}
  // Not fromEntries, which costs more than all the rest; these are names of the document, not of a client.
  for (const [parameter, gatherer] of gatherers) gathered[parameter] = gatherer.result()
  return gathered
}

/** The array that a long text holds, where a list is declared; any other text is left to those who read short ones. */
function* readLong(text: Buffer, schema: JsonSchema): Work<unknown> {
  const items = itemSchema(schema) === undefined ? undefined : yield* parseLongArray(text)
  return items ?? text.toString()
}

const createGatherer = (parameter: string, schema: JsonSchema, spelling: Spelling): Gatherer => {
  const items = itemSchema(schema)
  if (items !== undefined) return gatherList(parameter, items, spelling)
  const values = mapValueSchema(schema)
  return values === undefined ? gatherOne(parameter) : gatherMap(parameter, values, spelling)
}

const gatherOne = (parameter: string): Gatherer => {
  let given: unknown
  return {
    add: (suffix, value) => {
      const reason = suffix === '' ? 'is given more than once' : `must be written ${parameter}`
      if (suffix !== '' || given !== undefined) {
        throw new Refused('parameterInvalid', { parameter: parameter + showName(suffix), reason })
      }
      given = value
    },
    result: () => given,
  }
}
