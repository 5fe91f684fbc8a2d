import { declaredProperties, itemSchema, type JsonSchema, mapValueSchema } from './json-schema.ts'

type Fields = Readonly<Record<string, unknown>>
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
