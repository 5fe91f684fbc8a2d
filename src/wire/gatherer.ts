/**
 * How values are written: as `text` in forms and query strings, where objects and lists are JSON text, or natively in
 * `json` bodies.
 */
export type Spelling = 'text' | 'json'

/** Puts one parameter together from the fields that make it up; `suffix` is the field's name from its first `[`. */
export interface Gatherer {
  readonly add: (suffix: string, value: unknown) => void
  readonly result: () => unknown
}
