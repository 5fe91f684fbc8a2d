import type { SyncEvent } from './trace.ts'

/** The ways in which a history can go wrong. */
export type AnomalyKind =
  | 'refused'
  | 'lost-change'
  | 'old-version'
  | 'resurrected-thing'
  | 'below-position'
  | 'forgotten-deletion'
  | 'skipped-by-pages'
  | 'repeated'
  | 'listed-twice'
  | 'duplicated-thing'
  | 'shared-id'
  | 'diverged'

/** What is wrong, where it shows, and what a script has to look at to show it again. */
export interface Anomaly {
  readonly kind: AnomalyKind
  /** The event that shows it. */
  readonly event: SyncEvent
  /** Word of the thing, or name of the tag. */
  readonly subject: string | undefined
  readonly expected: string
  readonly actual: string
  readonly proof: Proof
}

/** A field as a replica holds it; undefined when the thing has none. */
export type HeldField = readonly [
  name: 'url' | 'html' | 'archived' | 'date',
  value: string | number | boolean | undefined,
]

/** A check of the answers that a script can make. Titles are without the mark. */
export type Proof =
  /** What the replica holds of the thing after the event: one of the titles, or nothing (`gone`). */
  | { readonly kind: 'holds'; readonly thing: string; readonly wanted: readonly string[] }
  /** After the event of number `other` the thing is held with the title, and these fields, that the event lists. */
  | { readonly kind: 'same'; readonly thing: string; readonly other: number; readonly fields: readonly HeldField[] }
  /** The last answer does not list the thing as a living one. */
  | { readonly kind: 'unlisted'; readonly thing: string }
  /** The last answer says nothing about the thing. */
  | { readonly kind: 'silent'; readonly thing: string }
  /** No two things in the answer have the title, and none is listed twice. */
  | { readonly kind: 'once'; readonly title: string }
  /** The request is accepted. */
  | { readonly kind: 'accepted' }
  /** Two creations are given different ids. */
  | { readonly kind: 'apart'; readonly things: readonly [string, string] }
  /** The tag has one of the colors in what the replica holds. */
  | { readonly kind: 'color'; readonly tag: string; readonly wanted: readonly string[] }
