import { Refused } from '../refused.ts'
import { runWhole } from '../slices.ts'
import { type Gatherer, type Gathering, textOf } from './gatherer.ts'
import { declaredProperties, type JsonSchema, mapValueSchema, mostItems } from './json-schema.ts'
import { isJsonObject, parseJson } from './parse-json.ts'
import { showName } from './show-name.ts'

/**
 * Gathers a map from names that the client chose to objects, from `p=<map>`, `p[<name>]=<object>` and
 * `p[<name>][<field>]=<value>`; what is given for one name is merged, a field given twice is refused. In text, maps and
 * objects are JSON text, also the objects inside a map. A name is any text, in brackets any but empty, and runs to the
 * last bracket, or to the brackets of a field that the map's values declare; one whose object is null is not given. The
 * name that is one more than the schema allows is refused (`tooManyItems`), before those that follow it are looked at.
 */
export const gatherMap = (parameter: string, schema: JsonSchema, { spelling, meter }: Gathering): Gatherer => {
  const fieldNames = declaredProperties(mapValueSchema(schema) ?? {})
  const limit = mostItems(schema)
  const entries = new Map<string, Map<string, unknown>>()
  const refuse = (shown: string, reason: string) => new Refused('parameterInvalid', { parameter: shown, reason })
  const show = (name: string) => `${parameter}[${showName(name)}]`

  /** Undefined for null, which is the same as absent (contract, sync 8). */
  const readObject = (value: unknown, shown: string) => {
    const given = spelling === 'text' && typeof value === 'string' ? readText(value, shown) : value
    if (given === null) return undefined
    if (!isJsonObject(given)) throw refuse(shown, 'must be a JSON object')
    return given
  }
  const readText = (text: string, shown: string): unknown => {
    runWhole(meter().check(text, shown, 'nowhere'))
    return parseJson(text, shown)
  }
  const entryOf = (name: string): Map<string, unknown> => {
    let entry = entries.get(name)
    if (entry === undefined) {
      if (entries.size >= limit) {
        throw new Refused('tooManyItems', { parameter, reason: `has more than ${limit} items` })
      }
      entry = new Map()
      entries.set(name, entry)
    }
    return entry
  }
  const addField = (name: string, field: string, value: unknown) => {
    const entry = entryOf(name)
    if (entry.has(field)) throw refuse(`${show(name)}[${showName(field)}]`, 'is given more than once')
    entry.set(field, value)
  }
  const addObject = (name: string, value: unknown) => {
    const object = readObject(value, show(name))
    if (object === undefined) return
    entryOf(name)
    for (const [field, fieldValue] of Object.entries(object)) addField(name, field, fieldValue)
  }

  return {
    add: (suffix, given) => {
      const value = textOf(given)
      if (suffix === '') {
        for (const [name, object] of Object.entries(readObject(value, parameter) ?? {})) addObject(name, object)
        return undefined
      }
      const inner = suffix.lastIndexOf('][')
      const field = inner < 0 ? '' : suffix.slice(inner + 2, -1)
      const hasField = fieldNames.has(field)
      const name = suffix.slice(1, hasField ? inner : -1)
      // With nothing in the brackets a list was meant; a map may have an empty name.
      if (!suffix.endsWith(']') || name === '') {
        throw refuse(parameter + showName(suffix), `must be written ${parameter} or ${parameter}[<name>]`)
      }
      if (hasField) addField(name, field, value)
      else addObject(name, value)
      return undefined
    },
    result: () => Object.fromEntries([...entries].map(([name, entry]) => [name, Object.fromEntries(entry)])),
  }
}
