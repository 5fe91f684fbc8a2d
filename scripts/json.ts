/** A JSON object with unknown members. */
export type JsonObject = { [name: string]: unknown }

/** Whether a value is an object, and neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value as an object. @throws Error with the path when it is not an object */
export const asObject = (value: unknown, path: string): JsonObject => {
  if (!isObject(value)) throw new Error(`${path} is not an object`)
  return value
}
