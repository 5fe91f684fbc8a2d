import { allowsType, type JsonSchema, partsOf } from './json-schema.ts'

/**
 * The value with every boolean and number in it that was spelled as a form spells them (contract, requests) turned into
 * what the schema declares: `true/false/1/0`, in any letter case, as text, number or boolean; numbers as decimal text.
 * Where a schema allows text as well as a number, text stays text. Whatever can't be read as declared is left as it is,
 * for the validator to refuse. Parts that nothing changes in are returned as they are; nothing is changed in place.
 */
export const coerce = (value: unknown, schema: JsonSchema): unknown => {
  if (Array.isArray(value)) return coerceItems(value, schema)
  if (typeof value === 'object' && value !== null) return coerceFields(value as Fields, schema)
  if (typeof value !== 'string' && value !== 0 && value !== 1) return value

  const spelled = spellBoolean(value)
  if (spelled !== undefined && allowsBoolean(schema, spelled)) return spelled
  if (typeof value === 'string' && isNumber.test(value)) {
    const number = Number(value)
    const isWanted = allowsType(schema, 'number', 'integer') && !allowsType(schema, 'string')
    if (isWanted && Number.isFinite(number)) return number
  }
  return value
}

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

const coerceItems = (items: unknown[], schema: JsonSchema): unknown[] => {
  let result = items
  if (schema.items !== undefined) {
    const itemSchema = schema.items
    const coerced = items.map((item) => coerce(item, itemSchema))
    if (coerced.some((item, i) => item !== items[i])) result = coerced
  }
  for (const part of partsOf(schema)) result = coerceItems(result, part)
  return result
}

const coerceFields = (fields: Fields, schema: JsonSchema): Fields => {
  const { properties = {}, additionalProperties } = schema
  const changes: [string, unknown][] = []
  const note = (name: string, fieldSchema: JsonSchema) => {
    const coerced = coerce(fields[name], fieldSchema)
    if (coerced !== fields[name]) changes.push([name, coerced])
  }

  for (const name in properties) {
    if (Object.hasOwn(fields, name)) note(name, properties[name] as JsonSchema)
  }
  if (typeof additionalProperties === 'object') {
    for (const name of Object.keys(fields)) {
      if (!Object.hasOwn(properties, name)) note(name, additionalProperties)
    }
  }
  let result = changes.length === 0 ? fields : replaceFields(fields, changes)
  for (const part of partsOf(schema)) result = coerceFields(result, part)
  return result
}

/** Every changed field is there before it is assigned, and the spread defines it: it may be called __proto__. */
const replaceFields = (fields: Fields, changes: readonly (readonly [name: string, value: unknown])[]): Fields => {
  const replaced: Record<string, unknown> = { ...fields }
  for (const [name, value] of changes) replaced[name] = value
  return replaced
}

type Fields = Readonly<Record<string, unknown>>
