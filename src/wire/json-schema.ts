/**
 * True for text that can be stored and returned byte for byte in UTF-8: no NUL and no lone surrogate (contract, sync
 * 11). The request validators use it as the string format `text`.
 */
export const isText = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

/**
 * Counts the characters of a text as JSON Schema does (`maxLength`, `minLength`): a surrogate pair is one character. The
 * request validators use it.
 */
export const countCharacters = (text: string): number => {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    if (isLowSurrogate(text.charCodeAt(i)) && isHighSurrogate(text.charCodeAt(i - 1))) count--
  }
  return count
}

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00

/**
 * The formats of `openapi.yaml` for the validators. The formats of numbers are only for generators, and the delivery
 * checks the URLs to call (`delivery/subscriptions.ts`).
 */
export const formats = { text: isText, int64: true, double: true, 'web-address': true } as const

/** The parts of a dereferenced OpenAPI 3.0 schema that decoding a request needs. */
export interface JsonSchema {
  readonly type?: string | undefined
  readonly nullable?: boolean | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly pattern?: string | undefined
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined
  readonly additionalProperties?: boolean | JsonSchema | undefined
  readonly items?: JsonSchema | undefined
  readonly maxItems?: number | undefined
  readonly maxProperties?: number | undefined
  readonly allOf?: readonly JsonSchema[] | undefined
  readonly oneOf?: readonly JsonSchema[] | undefined
  readonly anyOf?: readonly JsonSchema[] | undefined
}

/** The schema of a decoded request: an object whose properties are the parameters of the operation. */
export type ObjectSchema = JsonSchema

/** Returns all properties that the schema declares, including those of its `allOf` and its alternatives. */
export const declaredProperties = (schema: JsonSchema): ReadonlyMap<string, JsonSchema> =>
  memoize(
    propertiesCache,
    schema,
    () => new Map(everyPart(schema).flatMap((part) => Object.entries(part.properties ?? {}))),
  )

/** True when a value of one of these types may satisfy the schema or one of its parts. */
export const allowsType = (schema: JsonSchema, ...types: readonly string[]): boolean =>
  everyPart(schema).some((part) => part.type !== undefined && types.includes(part.type))

/** Returns the schema of an array's items; undefined for a schema that describes no array. */
export const itemSchema = (schema: JsonSchema): JsonSchema | undefined =>
  everyPart(schema).find((part) => part.items !== undefined)?.items

/** Returns the schema of a map's values; undefined for a schema that describes no map with names of the client. */
export const mapValueSchema = (schema: JsonSchema): JsonSchema | undefined => {
  for (const { additionalProperties } of everyPart(schema)) {
    if (typeof additionalProperties === 'object') return additionalProperties
  }
  return undefined
}

/** Returns the maximum number of items of a list, or of names of a map; infinite without a limit in the schema. */
export const findMaxItems = (schema: JsonSchema): number =>
  Math.min(...everyPart(schema).map((part) => part.maxItems ?? part.maxProperties ?? Number.POSITIVE_INFINITY))

/** Returns the direct parts of a schema: `allOf` and the alternatives of `oneOf` and `anyOf`. */
const partsOf = ({ allOf = none, oneOf = none, anyOf = none }: JsonSchema): readonly JsonSchema[] =>
  oneOf.length + anyOf.length === 0 ? allOf : [...allOf, ...oneOf, ...anyOf]

const none: readonly JsonSchema[] = []

/** Returns a schema with all its direct and indirect parts, in order. */
const everyPart = (schema: JsonSchema): readonly JsonSchema[] =>
  memoize(partsCache, schema, () => [schema, ...partsOf(schema).flatMap(everyPart)])

// Cached, because the document's schemas never change and every request needs the same results.
const partsCache = new WeakMap<JsonSchema, readonly JsonSchema[]>()
const propertiesCache = new WeakMap<JsonSchema, ReadonlyMap<string, JsonSchema>>()

const memoize = <Value>(cache: WeakMap<JsonSchema, Value>, schema: JsonSchema, find: () => Value): Value => {
  const cached = cache.get(schema)
  if (cached !== undefined) return cached
  const found = find()
  cache.set(schema, found)
  return found
}

type Drop = (value: unknown) => unknown

/**
 * Drops the declared fields that are null, at any depth: null means the same as absent (contract, sync 8), and
 * generated clients send it for fields that are not set. Null items of lists stay, so that the validator rejects them;
 * null entries of maps are dropped when they are gathered. It changes nothing in place and returns parts without null
 * as they are.
 */
export const dropNulls = (value: unknown, schema: JsonSchema): unknown => dropOf(schema)?.(value) ?? value

// Cached, because uploads have thousands of things of one schema.
const drops = new WeakMap<JsonSchema, Drop | undefined>()

const dropOf = (schema: JsonSchema): Drop | undefined => {
  if (drops.has(schema)) return drops.get(schema)
  const drop = createDrop(schema)
  drops.set(schema, drop)
  return drop
}

/** Creates the function that drops; undefined for a schema without anything to drop. */
const createDrop = (schema: JsonSchema): Drop | undefined => {
  const items = itemSchema(schema)
  if (items !== undefined) return dropInEach(dropOf(items))
  const values = mapValueSchema(schema)
  const dropInEntry = values === undefined ? undefined : dropOf(values)
  const fields = [...declaredProperties(schema)].map(([name, field]) => ({ name, drop: dropOf(field) }))
  if (fields.length === 0 && dropInEntry === undefined) return undefined

  return (value) => {
    if (!isFields(value)) return value
    let dropped: Map<string, unknown> | undefined
    const note = (name: string, now: unknown) => {
      if (now !== value[name]) dropped = (dropped ?? new Map(Object.entries(value))).set(name, now)
    }
    for (const { name, drop } of fields) {
      const field = value[name]
      if (field === null) note(name, undefined)
      else if (drop !== undefined && Object.hasOwn(value, name)) note(name, drop(field))
    }
    if (dropInEntry !== undefined) for (const name of Object.keys(value)) note(name, dropInEntry(value[name]))
    return dropped === undefined ? value : Object.fromEntries([...dropped].filter(([, now]) => now !== undefined))
  }
}

const dropInEach = (drop: Drop | undefined): Drop | undefined =>
  drop === undefined
    ? undefined
    : (value) => {
        if (!Array.isArray(value)) return value
        const items = value.map(drop)
        return items.some((item, index) => item !== value[index]) ? items : value
      }

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Converts booleans and numbers in the spelling of forms (contract, requests) to the types that the schema declares. It
 * accepts `true/false/1/0` in any letter case, as text (also in quotes), number or boolean, and numbers as decimal
 * text. It also removes quotes from other words where a schema lists the allowed words. Where a schema allows text and
 * number, text stays text. A value that cannot be converted stays, so that the validator rejects it. It changes nothing
 * in place and returns parts without changes as they are.
 */
export const coerce = (value: unknown, schema: JsonSchema): unknown => coercerOf(schema).coerce(value)

/** The coercion by one schema. */
interface Coercer {
  readonly coerce: (value: unknown) => unknown
  /** True when it changes some values. */
  readonly mayChange: boolean
}

type Fields = Readonly<Record<string, unknown>>

// Cached, because uploads have thousands of things of one schema.
const coercers = new WeakMap<JsonSchema, Coercer>()

const coercerOf = (schema: JsonSchema): Coercer => {
  const found = coercers.get(schema)
  if (found !== undefined) return found
  const created = createCoercer(schema)
  coercers.set(schema, created)
  return created
}

const createCoercer = (schema: JsonSchema): Coercer => {
  const parts = everyPart(schema)
  const scalars = createScalarCoercer(schema)
  const items = parts.flatMap((part) => (part.items === undefined ? [] : [coercerOf(part.items)]))
  const fields = parts.map(createFieldsCoercer).filter(({ mayChange }) => mayChange)

  const coerceAny = (value: unknown): unknown => {
    if (Array.isArray(value)) return items.reduce(coerceItems, value)
    if (typeof value === 'object' && value !== null) {
      return fields.reduce((result, part) => part.coerce(result), value as Fields)
    }
    return scalars.coerce(value)
  }
  const mayChange = scalars.mayChange || fields.length > 0 || items.some((item) => item.mayChange)
  return { coerce: coerceAny, mayChange }
}

const createScalarCoercer = (schema: JsonSchema): Coercer => {
  const booleans = [true, false].filter((wanted) => allowsBoolean(schema, wanted))
  const isNumeric = allowsType(schema, 'number', 'integer') && !allowsType(schema, 'string')
  const texts = everyPart(schema).filter(({ type }) => type === 'string')
  const takesWords = texts.length > 0 && texts.every(({ enum: words, pattern }) => words ?? pattern)

  const coerceScalar = (value: unknown): unknown => {
    if (typeof value !== 'string' && value !== 0 && value !== 1) return value
    const word = typeof value === 'string' ? unquote(value) : value
    const spelled = spellBoolean(word)
    if (spelled !== undefined && booleans.includes(spelled)) return spelled
    if (takesWords && word !== value && texts.some((text) => isWordOf(text, word))) return word
    if (isNumeric && typeof value === 'string' && isNumber.test(value)) {
      const number = Number(value)
      if (Number.isFinite(number)) return number
    }
    return value
  }
  return { coerce: coerceScalar, mayChange: isNumeric || takesWords || booleans.length > 0 }
}

const unquote = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text

const isWordOf = ({ enum: words, pattern }: JsonSchema, word: unknown): boolean =>
  words?.includes(word) ?? (pattern !== undefined && new RegExp(pattern, 'u').test(String(word)))

const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

const spellBoolean = (value: string | number): boolean | undefined => {
  if (value === 1 || value === '1') return true
  if (value === 0 || value === '0') return false
  if (typeof value !== 'string' || value.length > 5) return undefined
  const lowerCase = value.toLowerCase()
  return lowerCase === 'true' ? true : lowerCase === 'false' ? false : undefined
}

/** True when a part of the schema is boolean and allows this value: a number in a schema of numbers stays a number. */
const allowsBoolean = (schema: JsonSchema, wanted: boolean): boolean => {
  if (schema.enum !== undefined && !schema.enum.includes(wanted)) return false
  if (schema.type === 'boolean' || (schema.type === undefined && schema.enum !== undefined)) return true
  return partsOf(schema).some((part) => allowsBoolean(part, wanted))
}

const coerceItems = (items: unknown[], { coerce: coerceItem }: Coercer): unknown[] => {
  const coerced = items.map(coerceItem)
  return coerced.some((item, i) => item !== items[i]) ? coerced : items
}

/** Creates the coercion of the fields that one part of a schema declares. */
const createFieldsCoercer = ({ properties = {}, additionalProperties }: JsonSchema) => {
  const declared = Object.entries(properties)
    .map(([name, schema]) => ({ name, ...coercerOf(schema) }))
    .filter(({ mayChange }) => mayChange)
  const others = typeof additionalProperties === 'object' ? coercerOf(additionalProperties) : undefined

  const coerceFields = (fields: Fields): Fields => {
    // Created only when something changes, which is rare: an upload has thousands of things.
    let replaced: Record<string, unknown> | undefined
    const note = (name: string, coerced: unknown) => {
      if (coerced === fields[name]) return
      // The spread defines each field before the assignment: a field may be named __proto__.
      replaced ??= { ...fields }
      replaced[name] = coerced
    }

    for (const { name, coerce: coerceField } of declared)
      if (Object.hasOwn(fields, name)) note(name, coerceField(fields[name]))
    if (others?.mayChange) {
      for (const name of Object.keys(fields))
        if (!Object.hasOwn(properties, name)) note(name, others.coerce(fields[name]))
    }
    return replaced ?? fields
  }
  return { coerce: coerceFields, mayChange: declared.length > 0 || others?.mayChange === true }
}
