/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object as received; read keys chosen by clients with `Object.entries` or `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether the value is a JSON object (not null, not an array). */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value when it is a list, else an empty list. */
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Parses the text as JSON; returns undefined when it is not JSON. */
export const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Renders the value as short text for a message, cut after `limit` characters. */
export const showValue = (value: unknown, limit = 300): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}

/** One parameter of a form or query, in order, not yet encoded. */
export type Pair = readonly [name: string, value: string]

/** The form of several things of one kind (interface 4.3); `indexed` is an extension of our contract. */
export type UploadForm = 'array' | 'repeated' | 'indexed'

/** Encodes the pairs as `application/x-www-form-urlencoded`. */
export const encodeForm = (pairs: readonly Pair[]): string =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Writes pairs that submit the values under the name: a single value as it is, several values in the given form. A
 * string is written as it is, any other value as JSON.
 */
export const writeUpload = (name: string, values: readonly Json[], form: UploadForm = 'array'): Pair[] => {
  const [only] = values
  if (only === undefined) return []
  if (form === 'repeated') return values.map((value) => [`${name}[]`, asText(value)])
  if (form === 'indexed') return values.map((value, index) => [`${name}[${index}]`, asText(value)])
  return [[name, values.length === 1 ? asText(only) : JSON.stringify(values)]]
}
