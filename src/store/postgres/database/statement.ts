/**
 * A statement of the store. A program has few, each with a name, under which the database keeps its plan.
 *
 * Whatever can be asked a million times asks for one account or one hash, so that an engine that keeps tables on many
 * machines sends it to one of them. `reaches` says so, or why not.
 */
export interface Statement {
  readonly name: string
  readonly text: string
  /** `account`, `hash`, or the reason why it names neither. */
  readonly reaches: 'account' | 'hash' | { readonly all: string }
  /** True when running it again does no harm: what a lost connection has cut off is tried once more. */
  readonly isRepeatable: boolean
  /** Finds a few rows by their key, which each request does: it goes out at once, behind others that are on their way. */
  readonly isLookUp?: true
}

/** A value of a statement; a buffer is one in the database's own binary form. */
export type Value = string | number | boolean | null | Buffer
