/** A JSON object with unknown members. */
export type JsonObject = { [name: string]: unknown }

/** Whether a value is an object, and neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value as an object. @throws Error with the name of the place when it is not an object */
export const asObject = (value: unknown, place: string): JsonObject => {
  if (!isObject(value)) throw new Error(`${place} is not an object`)
  return value
}
