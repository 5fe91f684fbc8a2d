/**
 * # A backup
 *
 * One gzip file of JSON lines (`zcat` shows it): a head, one item of the store a line (`store-item.ts`), and an end that
 * counts the items of each kind and has the SHA-256 of all lines above it.
 */
import { createHash } from 'node:crypto'

/** The first line of a backup. */
export interface BackupHead {
  readonly format: 'thingsync backup'
  readonly version: 1
  /** Unix time in seconds. */
  readonly createdAt: number
}

/** How many items of each kind there are, as `store-item.ts` names them. */
export type ItemCounts = Readonly<Record<string, number>>

/** The last line of a backup. */
export interface BackupEnd {
  readonly end: ItemCounts
  /** Of all lines above, with their line breaks; hexadecimal. */
  readonly sha256: string
}

/** The kind of an item, from its line: the first name in it. */
export const findKind = (line: string): string => /^\{"(\w+)"/.exec(line)?.[1] ?? ''

/** Counts and sums up lines as they pass. */
export interface LineTally {
  /** Takes a line without its line break. */
  readonly add: (line: string) => void
  readonly counts: () => ItemCounts
  readonly sha256: () => string
}

/** A tally of a backup that begins with this head line. */
export const createTally = (head: string): LineTally => {
  const hash = createHash('sha256').update(`${head}\n`)
  const counts = new Map<string, number>()
  return {
    add: (line) => {
      hash.update(line).update('\n')
      const kind = findKind(line)
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    },
    counts: () => Object.fromEntries(counts),
    sha256: () => hash.copy().digest('hex'),
  }
}
