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

/** Puts one parameter together from the fields that make it up; `suffix` is the field's name from its first `[`. */
export interface Gatherer {
  readonly add: (suffix: string, value: unknown) => void
  /** The same as work that may be interrupted, for the bytes of a long text; absent where a text is never cut. */
  readonly addLong?: (suffix: string, text: Buffer) => Work<void>
  readonly result: () => unknown
}
