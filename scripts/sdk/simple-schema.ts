import { asObject, isObject, type JsonObject } from '../json.ts'

/** The schemas of a document by their name; what `$ref` points to. */
export type Components = JsonObject

/** Whether a schema says what clients send or what servers answer. */
export type Side = 'request' | 'answer'

const prefix = '#/components/schemas/'
const shape = ['$ref', 'description', 'type', 'properties', 'items', 'additionalProperties', 'required']
const limits = ['format', 'minLength', 'maxLength', 'pattern', 'minimum', 'maxItems', 'maxProperties']
const kept: Readonly<Record<Side, readonly string[]>> = { request: [...shape, ...limits], answer: shape }
const numberFormats: JsonObject = { number: 'double', integer: 'int64' }

function merged(parts: readonly unknown[], components: Components): JsonObject {
  const whole: JsonObject & { properties: JsonObject; required: unknown[] } = { properties: {}, required: [] }
  for (const part of parts) {
    const given = asObject(part, 'a part of allOf')
    const { $ref } = given
    const schema = typeof $ref === 'string' ? asObject(components[$ref.slice(prefix.length)], $ref) : given
    Object.assign(whole.properties, schema.properties)
    whole.required.push(...(Array.isArray(schema.required) ? schema.required : []))
  }
  return { type: 'object', ...whole }
}

function simplifyProperties(schema: JsonObject, place: string, components: Components, side: Side): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = Object.entries(asObject(schema.properties, place))
    .filter(([name]) => name !== 'access_token' || required.includes(name))
    .map(([name, property]): [string, unknown] => {
      const simple = simplifySchema(property, `${place}.${name}`, components, side)
      const isNullable = isObject(property) && property.nullable === true
      const nullable = isNullable && (side === 'answer' || required.includes(name))
      return [name, nullable ? { ...simple, nullable } : simple]
    })
  return Object.fromEntries(properties)
}

/**
 * The schema as every generator understands it: no unions, parts of `allOf` merged, no lists of values, explicit number
 * formats, null only in answers and where a field is always there, and no `access_token` beside the other parameters.
 * Limits stay in requests only: a newer server may answer more. What the schema marks as `x-sdk` takes precedence; a
 * union without this mark is an error.
 */
export function simplifySchema(given: unknown, place: string, components: Components, side: Side): JsonObject {
  const { 'x-sdk': mark, ...plain } = asObject(given, place)
  const schema = Array.isArray(plain.allOf) ? { ...plain, ...merged(plain.allOf, components) } : plain
  const union = ['oneOf', 'anyOf'].find((name) => name in schema)
  if (union !== undefined && mark === undefined) throw new Error(`${place} has ${union} and no x-sdk`)
  const source: JsonObject = { ...schema, ...(mark === undefined ? {} : asObject(mark, `${place}.x-sdk`)) }
  const simple = Object.fromEntries(kept[side].filter((name) => name in source).map((name) => [name, source[name]]))
  if (typeof simple.type === 'string' && simple.type in numberFormats) simple.format = numberFormats[simple.type]
  if ('properties' in simple) simple.properties = simplifyProperties(source, place, components, side)
  if ('items' in simple) simple.items = simplifySchema(simple.items, `${place}[]`, components, side)
  if (isObject(simple.additionalProperties)) {
    simple.additionalProperties = simplifySchema(simple.additionalProperties, `${place}{}`, components, side)
  }
  return simple
}

/** The names of all schemas that the value refers to, those among the components followed. */
export function findReferences(value: unknown, components: Components, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) findReferences(item, components, found)
  if (!isObject(value)) return found
  for (const [key, member] of Object.entries(value)) {
    if (key !== '$ref' || typeof member !== 'string') findReferences(member, components, found)
    else if (!found.has(member.slice(prefix.length))) {
      found.add(member.slice(prefix.length))
      findReferences(components[member.slice(prefix.length)], components, found)
    }
  }
  return found
}
