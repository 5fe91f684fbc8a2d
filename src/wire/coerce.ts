import { allowsType, everyPart, type JsonSchema, partsOf } from './json-schema.ts'

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
