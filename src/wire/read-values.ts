import { coerce } from './coerce.ts'
import { dropNulls } from './drop-nulls.ts'
import type { Spelling } from './gatherer.ts'
import type { JsonSchema } from './json-schema.ts'

/** Gathered parameters without their null fields, and in text with booleans and numbers as the schema declares them. */
export const readValues = (gathered: unknown, schema: JsonSchema, spelling: Spelling): unknown => {
  const given = dropNulls(gathered, schema)
  return spelling === 'text' ? coerce(given, schema) : given
}
