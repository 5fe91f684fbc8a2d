import { Refused } from '../refused.ts'
import type { Work } from '../slices.ts'
import { createJsonMeter, type JsonLimits, type JsonMeter, usualJsonLimits } from './check-json.ts'
import { gatherList } from './gather-list.ts'
import { gatherMap } from './gather-map.ts'
import { type Gatherer, type Gathering, type Spelling, textOf } from './gatherer.ts'
import { declaredProperties, itemSchema, type JsonSchema, mapValueSchema, type ObjectSchema } from './json-schema.ts'
import { showName } from './show-name.ts'

/**
 * Puts the fields of a request together into the shape that `schema` declares for it (interface 4.3, submitting several
 * things; contract, requests): one value, a list from any of `p`, `p[]` and `p[0]`, a map from `p`, `p[<name>]` and
 * `p[<name>][<field>]`. Fields that the schema does not declare, and those that are null, are ignored. Refused
 * (`parameterInvalid`) are a single value given twice, a declared parameter with brackets that mean nothing, and broken
 * JSON; and what is too many (`tooManyItems`): items of a list, names of a map, and before it is parsed whatever `limits`
 * forbid in JSON texts, which may be given as bytes. Values are not validated and their spelling is left as it is (see
 * `coerce`).
 */
export function* gatherParameters(
  fields: Iterable<readonly [name: string, value: unknown]>,
  schema: ObjectSchema,
  spelling: Spelling,
  limits: JsonLimits = usualJsonLimits,
): Work<Record<string, unknown>> {
  const declared = declaredProperties(schema)
  // Most requests hold no JSON text.
  let made: JsonMeter | undefined
  const meter = () => {
    made ??= createJsonMeter(limits)
    return made
  }
  const gatherers = new Map<string, Gatherer>()
  for (const [name, value] of fields) {
    const bracket = name.indexOf('[')
    const parameter = bracket < 0 ? name : name.slice(0, bracket)
    const parameterSchema = declared.get(parameter)
    if (parameterSchema === undefined || value === null) continue
    let gatherer = gatherers.get(parameter)
    if (gatherer === undefined) {
      gatherer = createGatherer(parameter, parameterSchema, { spelling, meter })
      gatherers.set(parameter, gatherer)
    }
    const suffix = bracket < 0 ? '' : name.slice(bracket)
    const rest = gatherer.add(suffix, value)
    if (rest !== undefined) yield* rest
    yield
  }
  const gathered: Record<string, unknown> = {}
  // Not fromEntries, which costs more than all the rest; these are names of the document, not of a client.
  for (const [parameter, gatherer] of gatherers) gathered[parameter] = gatherer.result()
  return gathered
}

const createGatherer = (parameter: string, schema: JsonSchema, gathering: Gathering): Gatherer => {
  if (itemSchema(schema) !== undefined) return gatherList(parameter, schema, gathering)
  return mapValueSchema(schema) === undefined ? gatherOne(parameter) : gatherMap(parameter, schema, gathering)
}

const gatherOne = (parameter: string): Gatherer => {
  let given: unknown
  return {
    add: (suffix, value) => {
      const reason = suffix === '' ? 'is given more than once' : `must be written ${parameter}`
      if (suffix !== '' || given !== undefined) {
        throw new Refused('parameterInvalid', { parameter: parameter + showName(suffix), reason })
      }
      given = textOf(value)
      return undefined
    },
    result: () => given,
  }
}
