/**
 * True when the value is text that can be stored and returned byte for byte in UTF-8: it has no NUL and no lone
 * surrogate (contract, sync 11). Meant as the string format `text` of the request validators.
 */
export const isText = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

/**
 * What the formats of `openapi.yaml` mean to a validator. Those of numbers only tell generators how many bits to take, and
 * what is wrong with an address to call is told by delivery (`delivery/refuse-address.ts`).
 */
export const formats = { text: isText, int64: true, double: true, 'web-address': true } as const

/** A dereferenced OpenAPI 3.0 schema, as far as decoding a request looks at it. */
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

/** Every property that the schema declares, also through its `allOf` and its alternatives. */
export const declaredProperties = (schema: JsonSchema): ReadonlyMap<string, JsonSchema> =>
  memoize(
    propertiesCache,
    schema,
    () => new Map(everyPart(schema).flatMap((part) => Object.entries(part.properties ?? {}))),
  )

/** True when a value of this type may satisfy the schema, itself or one of its parts. */
export const allowsType = (schema: JsonSchema, ...types: readonly string[]): boolean =>
  everyPart(schema).some((part) => part.type !== undefined && types.includes(part.type))

/** The schema of an array's items; undefined for a schema that describes no array. */
export const itemSchema = (schema: JsonSchema): JsonSchema | undefined =>
  everyPart(schema).find((part) => part.items !== undefined)?.items

/** The schema of a map's values; undefined for a schema that describes no map with names chosen by the client. */
export const mapValueSchema = (schema: JsonSchema): JsonSchema | undefined => {
  for (const { additionalProperties } of everyPart(schema)) {
    if (typeof additionalProperties === 'object') return additionalProperties
  }
  return undefined
}

/** How many items a list may have, or names a map; infinite where the schema does not say. */
export const findMaxItems = (schema: JsonSchema): number =>
  Math.min(...everyPart(schema).map((part) => part.maxItems ?? part.maxProperties ?? Number.POSITIVE_INFINITY))

/** The schemas that this one is put together from: `allOf` and the alternatives of `oneOf` and `anyOf`. */
const partsOf = ({ allOf = none, oneOf = none, anyOf = none }: JsonSchema): readonly JsonSchema[] =>
  oneOf.length + anyOf.length === 0 ? allOf : [...allOf, ...oneOf, ...anyOf]

const none: readonly JsonSchema[] = []

/** A schema and all that it is put together from, in order. */
const everyPart = (schema: JsonSchema): readonly JsonSchema[] =>
  memoize(partsCache, schema, () => [schema, ...partsOf(schema).flatMap(everyPart)])

// The document's schemas never change, and every request asks them the same.
const partsCache = new WeakMap<JsonSchema, readonly JsonSchema[]>()
const propertiesCache = new WeakMap<JsonSchema, ReadonlyMap<string, JsonSchema>>()

const memoize = <Value>(known: WeakMap<JsonSchema, Value>, schema: JsonSchema, find: () => Value): Value => {
  const remembered = known.get(schema)
  if (remembered !== undefined) return remembered
  const found = find()
  known.set(schema, found)
  return found
}

type Drop = (value: unknown) => unknown

/**
 * The value without the declared fields that are null, at any depth: null is the same as absent (contract, sync 8), which
 * generated clients send for what was not set. Items of lists are no fields and stay to be refused; entries of maps are
 * left out when they are gathered. Parts that have none are returned as they are; nothing is changed in place.
 */
export const dropNulls = (value: unknown, schema: JsonSchema): unknown => dropOf(schema)?.(value) ?? value

// Uploads have thousands of things of one schema, which is looked through only once.
const drops = new WeakMap<JsonSchema, Drop | undefined>()

const dropOf = (schema: JsonSchema): Drop | undefined => {
  if (drops.has(schema)) return drops.get(schema)
  const drop = createDrop(schema)
  drops.set(schema, drop)
  return drop
}

/** Undefined for a schema in which there is nothing to drop. */
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
 * The value with every boolean and number in it that was spelled as a form spells them (contract, requests) turned into
 * what the schema declares: `true/false/1/0`, in any letter case, as text, number or boolean, the text also in quotes;
 * numbers as decimal text. Quotes are taken off other words too, where a schema names the words that it takes. Where a
 * schema allows text as well as a number, text stays text. Whatever can't be read as declared is left as it is, for the
 * validator to refuse. Parts that nothing changes in are returned as they are; nothing is changed in place.
 */
export const coerce = (value: unknown, schema: JsonSchema): unknown => coercerOf(schema).coerce(value)

/** What coercing by one schema comes to. */
interface Coercer {
  readonly coerce: (value: unknown) => unknown
  /** Some value may come out as another one. */
  readonly mayChange: boolean
}

type Fields = Readonly<Record<string, unknown>>

// Uploads have thousands of things of one schema, which is looked through only once.
const coercers = new WeakMap<JsonSchema, Coercer>()

const coercerOf = (schema: JsonSchema): Coercer => {
  const found = coercers.get(schema)
  if (found !== undefined) return found
  const made = createCoercer(schema)
  coercers.set(schema, made)
  return made
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

/** A number in a schema of numbers stays one: only a part that is boolean, and allows this one, makes it a boolean. */
const allowsBoolean = (schema: JsonSchema, wanted: boolean): boolean => {
  if (schema.enum !== undefined && !schema.enum.includes(wanted)) return false
  if (schema.type === 'boolean' || (schema.type === undefined && schema.enum !== undefined)) return true
  return partsOf(schema).some((part) => allowsBoolean(part, wanted))
}

const coerceItems = (items: unknown[], { coerce: coerceItem }: Coercer): unknown[] => {
  const coerced = items.map(coerceItem)
  return coerced.some((item, i) => item !== items[i]) ? coerced : items
}

/** Coerces the fields that one part of a schema declares. */
const createFieldsCoercer = ({ properties = {}, additionalProperties }: JsonSchema) => {
  const declared = Object.entries(properties)
    .map(([name, schema]) => ({ name, ...coercerOf(schema) }))
    .filter(({ mayChange }) => mayChange)
  const others = typeof additionalProperties === 'object' ? coercerOf(additionalProperties) : undefined

  const coerceFields = (fields: Fields): Fields => {
    // Made only when something changes, which is rare: an upload has thousands of things.
    let replaced: Record<string, unknown> | undefined
    const note = (name: string, coerced: unknown) => {
      if (coerced === fields[name]) return
      // The spread defines every field before it is assigned: it may be called __proto__.
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
