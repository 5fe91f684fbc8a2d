import type { Work } from '../slices.ts'
import type { JsonMeter } from './check-json.ts'

/**
 * How values are written: as `text` in forms and query strings, where objects and lists are JSON text, or natively in
 * `json` bodies.
 */
export type Spelling = 'text' | 'json'

/** What a gatherer of a request is made with. */
export interface Gathering {
  readonly spelling: Spelling
  /** Checks each JSON text in a form before it is parsed. */
  readonly meter: () => JsonMeter
}

/** The text of bytes; anything else as it is. */
export const textOf = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString() : value)

/** Puts one parameter together from the fields that make it up; `suffix` is the field's name from its first `[`. */
export interface Gatherer {
  /** Adds a field, whose text may be given as its bytes; gives the work that remains, if it may be interrupted. */
  readonly add: (suffix: string, value: unknown) => Work<void> | undefined
  readonly result: () => unknown
}
