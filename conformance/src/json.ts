/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object as it came; read keys chosen by clients with `Object.entries` or `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether the value is a JSON object (not null, not an array). */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value when it is a list, else an empty list. */
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** The JSON value of the text, or undefined when it is not JSON. */
export const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The value as short text for a message, cut after `limit` characters. */
export const showValue = (value: unknown, limit = 300): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}
