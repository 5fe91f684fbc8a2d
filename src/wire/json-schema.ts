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
  remember(
    knownProperties,
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
export const mostItems = (schema: JsonSchema): number =>
  Math.min(...everyPart(schema).map((part) => part.maxItems ?? part.maxProperties ?? Number.POSITIVE_INFINITY))

/** The schemas that this one is put together from: `allOf` and the alternatives of `oneOf` and `anyOf`. */
export const partsOf = ({ allOf = none, oneOf = none, anyOf = none }: JsonSchema): readonly JsonSchema[] =>
  oneOf.length + anyOf.length === 0 ? allOf : [...allOf, ...oneOf, ...anyOf]

const none: readonly JsonSchema[] = []

/** A schema and all that it is put together from, in order. */
export const everyPart = (schema: JsonSchema): readonly JsonSchema[] =>
  remember(knownParts, schema, () => [schema, ...partsOf(schema).flatMap(everyPart)])

// The document's schemas never change, and every request asks them the same.
const knownParts = new WeakMap<JsonSchema, readonly JsonSchema[]>()
const knownProperties = new WeakMap<JsonSchema, ReadonlyMap<string, JsonSchema>>()

const remember = <Value>(known: WeakMap<JsonSchema, Value>, schema: JsonSchema, find: () => Value): Value => {
  const remembered = known.get(schema)
  if (remembered !== undefined) return remembered
  const found = find()
  known.set(schema, found)
  return found
}
