/** A JSON object whose members are not known yet. */
export type JsonObject = { [name: string]: unknown }

/** Whether the value is an object, neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as an object; throws with the name of the place when it is none. */
export const asObject = (value: unknown, place: string): JsonObject => {
  if (!isObject(value)) throw new Error(`${place} is not an object`)
  return value
}
