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

/** One parameter of a form or query, in order, not yet encoded. */
export type Pair = readonly [name: string, value: string]

/**
 * How several things of one kind are written (interface 4.3, "Submitting several things"); `indexed` only our contract
 * promises.
 */
export type UploadForm = 'array' | 'repeated' | 'indexed'

/** `application/x-www-form-urlencoded` text of the pairs. */
export const encodeForm = (pairs: readonly Pair[]): string =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Pairs that submit the values under the name: one alone as it is, several in the form asked for; a string stands for itself. */
export const writeUpload = (name: string, values: readonly Json[], form: UploadForm = 'array'): Pair[] => {
  const [only] = values
  if (only === undefined) return []
  if (form === 'repeated') return values.map((value) => [`${name}[]`, asText(value)])
  if (form === 'indexed') return values.map((value, index) => [`${name}[${index}]`, asText(value)])
  return [[name, values.length === 1 ? asText(only) : JSON.stringify(values)]]
}
