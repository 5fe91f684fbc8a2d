import type { Json } from './json.ts'

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
