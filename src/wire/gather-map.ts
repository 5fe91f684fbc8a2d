import { Refused } from '../refused.ts'
import { runWhole, type Work } from '../slices.ts'
import { type Gatherer, type Gathering, textOf } from './gatherer.ts'
import { declaredProperties, type JsonSchema, mapValueSchema, mostItems } from './json-schema.ts'
import { beginsObject, isJsonObject, parseJson, readLongObject } from './parse-json.ts'
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

  /** What a suffix names: nothing for the map itself, a name, or a field of a name. */
  const readSuffix = (suffix: string) => {
    const inner = suffix.lastIndexOf('][')
    const field = inner < 0 ? '' : suffix.slice(inner + 2, -1)
    const hasField = fieldNames.has(field)
    const name = suffix.slice(1, hasField ? inner : -1)
    // With nothing in the brackets a list was meant; a map may have an empty name.
    if (suffix !== '' && (!suffix.endsWith(']') || name === '')) {
      throw refuse(parameter + showName(suffix), `must be written ${parameter} or ${parameter}[<name>]`)
    }
    return { name, field: hasField ? field : undefined }
  }
  const add = (suffix: string, value: unknown): undefined => {
    const { name, field } = readSuffix(suffix)
    if (suffix === '') {
      for (const [each, object] of Object.entries(readObject(value, parameter) ?? {})) addObject(each, object)
    } else if (field === undefined) addObject(name, value)
    else addField(name, field, value)
  }
  function* addLong(suffix: string, bytes: Buffer): Work<void> {
    const { name, field } = readSuffix(suffix)
    const shown = suffix === '' ? parameter : show(name)
    add(suffix, field === undefined ? yield* readLongObject(bytes, shown, meter()) : textOf(bytes))
  }

  return {
    add: (suffix, given) =>
      spelling === 'text' && Buffer.isBuffer(given) && beginsObject(given)
        ? addLong(suffix, given)
        : add(suffix, textOf(given)),
    result: () => Object.fromEntries([...entries].map(([name, entry]) => [name, Object.fromEntries(entry)])),
  }
}
