import { ApiError, sanitizeName } from '../api-error.ts'
import { runToEnd, type Work } from '../scheduling.ts'
import {
  beginsArray,
  beginsObject,
  createJsonMeter,
  defaultJsonLimits,
  isJsonObject,
  type JsonLimits,
  type JsonMeter,
  parseArray,
  parseJson,
  readLongObject,
} from './json.ts'
import {
  allowsType,
  coerce,
  declaredProperties,
  dropNulls,
  findMaxItems,
  itemSchema,
  type JsonSchema,
  mapValueSchema,
  type ObjectSchema,
} from './json-schema.ts'

/** Drops the null fields of gathered parameters, and coerces booleans and numbers if their spelling is `text`. */
export const normalizeValues = (gathered: unknown, schema: JsonSchema, spelling: Spelling): unknown => {
  const withoutNulls = dropNulls(gathered, schema)
  return spelling === 'text' ? coerce(withoutNulls, schema) : withoutNulls
}

/**
 * The spelling of values: `text` in forms and query strings, where objects and lists are JSON text, or native values in
 * `json` bodies.
 */
export type Spelling = 'text' | 'json'

/** The options of the gatherers of a request. */
interface GatherOptions {
  readonly spelling: Spelling
  /** Checks each JSON text in a form before it is parsed. */
  readonly meter: () => JsonMeter
}

/** Converts bytes to text; returns any other value as it is. */
const toText = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString() : value)

/** Gathers the fields of a parameter to its value. `suffix` is the field's name from its first `[`. */
interface Gatherer {
  /** Adds a field, whose text may be given as bytes; returns the remaining work if it can be interrupted. */
  readonly add: (suffix: string, value: unknown) => Work<void> | undefined
  readonly result: () => unknown
}

/**
 * Gathers a list, in order of appearance. Each field (`p`, `p[]` or `p[3]`, any number of each) holds an item or an
 * array of items. In text, an item that may be a string is taken literally, unless it is `null` or begins like a JSON
 * array, object or string. Those, and all other items, are JSON text. The first item above the schema's maximum is
 * rejected (`tooManyItems`) before later ones are read.
 */
const gatherList = (parameter: string, schema: JsonSchema, { spelling, meter }: GatherOptions): Gatherer => {
  const itemsAreText = allowsType(itemSchema(schema) ?? {}, 'string')
  const limit = findMaxItems(schema)
  const list: unknown[] = []

  const nextItem = () => `${parameter}[${list.length}]`

  const readItem = (text: string): unknown => {
    // Ids never begin like JSON. Taken literally, such text would name no thing, and a deletion would be silently lost.
    if (itemsAreText && !beginsJson.test(text)) return text
    runToEnd(meter().check(text, nextItem(), 'nowhere'))
    return parseJson(text, nextItem())
  }

  const push = (item: unknown): void => {
    if (list.length >= limit) {
      throw new ApiError('tooManyItems', { parameter, reason: `has more than ${limit} items` })
    }
    list.push(item)
  }

  const checkSuffix = (suffix: string): void => {
    if (/^(?:\[\d*\])?$/.test(suffix)) return
    const reason = `must be written ${parameter}, ${parameter}[] or ${parameter}[0]`
    throw new ApiError('parameterInvalid', { parameter: parameter + sanitizeName(suffix), reason })
  }

  function* addLong(bytes: Buffer): Work<void> {
    push(yield* readLongObject(bytes, nextItem(), meter()))
  }

  return {
    add: (suffix, value) => {
      checkSuffix(suffix)
      if (spelling === 'text' && beginsArray(value))
        return addItems(value, { meter: meter(), parameter: nextItem(), push })
      if (spelling === 'text' && Buffer.isBuffer(value) && beginsObject(value)) return addLong(value)
      const text = toText(value)
      const given = spelling === 'text' && typeof text === 'string' ? readItem(text) : text
      // Here the whole parameter is null. With a suffix, null would be an item.
      if (given === null && suffix === '') return undefined
      if (!Array.isArray(given)) push(given)
      else for (const item of given) push(item)
      return undefined
    },
    result: () => list,
  }
}

/** The options of `addItems`. */
interface AddItemsOptions {
  readonly meter: JsonMeter
  /** The name of the first item. */
  readonly parameter: string
  readonly push: (item: unknown) => void
}

function* addItems(text: string | Buffer, { meter, parameter, push }: AddItemsOptions): Work<void> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  yield* meter.check(bytes, parameter, 'between items')
  const items = yield* parseArray(bytes)
  if (items === undefined) throw new ApiError('parameterInvalid', { parameter, reason: 'is not valid JSON' })
  for (const item of items) push(item)
}

const beginsJson = /^[ \t\r\n]*(?:[[{"]|null[ \t\r\n]*$)/

/**
 * Gathers a map from names of the client to objects, from `p=<map>`, `p[<name>]=<object>` and
 * `p[<name>][<field>]=<value>`. The fields of a name are merged; a repeated field is rejected. In text, maps and
 * objects are JSON text, also the objects inside a map. A name is any text, but not empty in brackets. It ends at the
 * last bracket, or at the brackets of a field that the map's values declare. A name whose object is null counts as
 * absent. The first name above the schema's maximum is rejected (`tooManyItems`) before later ones are read.
 */
const gatherMap = (parameter: string, schema: JsonSchema, { spelling, meter }: GatherOptions): Gatherer => {
  const fieldNames = declaredProperties(mapValueSchema(schema) ?? {})
  const limit = findMaxItems(schema)
  const entries = new Map<string, Map<string, unknown>>()
  const createError = (shown: string, reason: string) => new ApiError('parameterInvalid', { parameter: shown, reason })
  const show = (name: string) => `${parameter}[${sanitizeName(name)}]`

  /** Undefined for null, which is the same as absent (contract, sync 8). */
  const readObject = (value: unknown, shown: string) => {
    const given = spelling === 'text' && typeof value === 'string' ? readText(value, shown) : value
    if (given === null) return undefined
    if (!isJsonObject(given)) throw createError(shown, 'must be a JSON object')
    return given
  }
  const readText = (text: string, shown: string): unknown => {
    runToEnd(meter().check(text, shown, 'nowhere'))
    return parseJson(text, shown)
  }
  const entryOf = (name: string): Map<string, unknown> => {
    let entry = entries.get(name)
    if (entry === undefined) {
      if (entries.size >= limit) {
        throw new ApiError('tooManyItems', { parameter, reason: `has more than ${limit} items` })
      }
      entry = new Map()
      entries.set(name, entry)
    }
    return entry
  }
  const addField = (name: string, field: string, value: unknown) => {
    const entry = entryOf(name)
    if (entry.has(field)) throw createError(`${show(name)}[${sanitizeName(field)}]`, 'is given more than once')
    entry.set(field, value)
  }
  const addObject = (name: string, value: unknown) => {
    const object = readObject(value, show(name))
    if (object === undefined) return
    entryOf(name)
    for (const [field, fieldValue] of Object.entries(object)) addField(name, field, fieldValue)
  }

  /** Parses a suffix: empty for the map itself, a name, or a field of a name. */
  const readSuffix = (suffix: string) => {
    const inner = suffix.lastIndexOf('][')
    const field = inner < 0 ? '' : suffix.slice(inner + 2, -1)
    const hasField = fieldNames.has(field)
    const name = suffix.slice(1, hasField ? inner : -1)
    // Empty brackets mean a list. Only a map in JSON can have an empty name.
    if (suffix !== '' && (!suffix.endsWith(']') || name === '')) {
      throw createError(parameter + sanitizeName(suffix), `must be written ${parameter} or ${parameter}[<name>]`)
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
    add(suffix, field === undefined ? yield* readLongObject(bytes, shown, meter()) : toText(bytes))
  }

  return {
    add: (suffix, given) =>
      spelling === 'text' && Buffer.isBuffer(given) && beginsObject(given)
        ? addLong(suffix, given)
        : add(suffix, toText(given)),
    result: () => Object.fromEntries([...entries].map(([name, entry]) => [name, Object.fromEntries(entry)])),
  }
}

/**
 * Gathers the fields of a request into the shape that `schema` declares (interface 4.3, submitting several things;
 * contract, requests): a single value, a list from any of `p`, `p[]` and `p[0]`, or a map from `p`, `p[<name>]` and
 * `p[<name>][<field>]`. It ignores null fields and fields that the schema does not declare. JSON texts may be given as
 * bytes. It does not validate values and keeps their spelling (see `coerce`).
 * @throws ApiError `parameterInvalid` for a repeated single value, brackets without a meaning, or invalid JSON;
 * `tooManyItems` for too many items of a list or names of a map, and, before any parsing, for JSON above `limits`
 */
export function* gatherParameters(
  fields: Iterable<readonly [name: string, value: unknown]>,
  schema: ObjectSchema,
  spelling: Spelling,
  limits: JsonLimits = defaultJsonLimits,
): Work<Record<string, unknown>> {
  const declared = declaredProperties(schema)
  // Most requests hold no JSON text.
  let created: JsonMeter | undefined
  const meter = () => {
    created ??= createJsonMeter(limits)
    return created
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
  // Not fromEntries, which is slow. The names are safe: they come from the document, not from a client.
  for (const [parameter, gatherer] of gatherers) gathered[parameter] = gatherer.result()
  return gathered
}

const createGatherer = (parameter: string, schema: JsonSchema, options: GatherOptions): Gatherer => {
  if (itemSchema(schema) !== undefined) return gatherList(parameter, schema, options)
  return mapValueSchema(schema) === undefined ? gatherSingle(parameter) : gatherMap(parameter, schema, options)
}

const gatherSingle = (parameter: string): Gatherer => {
  let given: unknown
  return {
    add: (suffix, value) => {
      const reason = suffix === '' ? 'is given more than once' : `must be written ${parameter}`
      if (suffix !== '' || given !== undefined) {
        throw new ApiError('parameterInvalid', { parameter: parameter + sanitizeName(suffix), reason })
      }
      given = toText(value)
      return undefined
    },
    result: () => given,
  }
}
