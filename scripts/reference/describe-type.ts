import { asObject, isObject, type JsonObject } from '../json.ts'

/** A type in words, and the named object in it, if there is one. */
export interface DescribedType {
  readonly type: string
  readonly shape?: string
}

/** The name behind a `$ref`, and what it stands for; a schema without one is what it is. */
export const followReference = (
  document: JsonObject,
  schema: JsonObject,
): { readonly name?: string; readonly target: JsonObject } => {
  const { $ref } = schema
  if (typeof $ref !== 'string') return { target: schema }
  const target = $ref
    .slice(2)
    .split('/')
    .reduce((at, part) => asObject(at[part], $ref), document)
  return { name: $ref.slice($ref.lastIndexOf('/') + 1), target }
}

/** The members of an object, those of `allOf` too. */
export const readMembers = (
  document: JsonObject,
  schema: JsonObject,
): { readonly properties: JsonObject; readonly required: ReadonlySet<string> } => {
  const parts = Array.isArray(schema.allOf) ? schema.allOf : []
  const all = [...parts.map((part) => followReference(document, asObject(part, 'allOf')).target), schema]
  return {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: new Set(all.flatMap(({ required }) => (Array.isArray(required) ? required : []))),
  }
}

/** Whether a schema is an object with members that are known. */
export const hasMembers = (document: JsonObject, schema: JsonObject): boolean =>
  Object.keys(readMembers(document, schema).properties).length > 0

const showValue = (value: unknown): string => JSON.stringify(value)

/** The type of a schema, as in `list of Thing`, `string or number`, `"strike" or "dont-strike"`. */
export const describeType = (document: JsonObject, schema: JsonObject): DescribedType => {
  const { name, target } = followReference(document, schema)
  if (name !== undefined && hasMembers(document, target)) return { type: name, shape: name }
  if (Array.isArray(target.oneOf)) {
    const types = target.oneOf.map((one) => describeType(document, asObject(one, 'oneOf')).type)
    return { type: types.join(' or ') }
  }
  if (Array.isArray(target.enum)) return { type: target.enum.map(showValue).join(' or ') }
  if (isObject(target.items)) return prefix('list of ', describeType(document, target.items))
  if (isObject(target.additionalProperties)) {
    return prefix('map of ', describeType(document, target.additionalProperties))
  }
  const format = typeof target.format === 'string' ? target.format : ''
  const json = /^json-(\w+)$/.exec(format)?.[1]
  if (json !== undefined) return { type: `JSON text of ${json}`, shape: json }
  const width = format === 'int64' || format === 'double' ? ` (${format})` : ''
  return { type: `${String(target.type ?? 'any value')}${width}` }
}

const prefix = (words: string, { type, shape }: DescribedType): DescribedType => ({
  type: `${words}${type}`,
  ...(shape === undefined ? {} : { shape }),
})
