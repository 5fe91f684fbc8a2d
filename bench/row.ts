import type { Bench } from './bench.ts'

/** What a figure must reach: its median is at least or at most `limit`. */
export interface Goal {
  readonly is: 'least' | 'most'
  readonly limit: number
}

/** What one figure of a row says. Without a goal it is shown for reading only. */
export interface FigureKind {
  readonly title: string
  /** `x` is a ratio, which is what the goals are about: candidate and floor come from the same round. */
  readonly unit:
    | 'x'
    | 'ms'
    | 'MB'
    | 'KB'
    | 'ms a second'
    | 'MB each'
    | 'KB each'
    | 'MB together'
    | 'things'
    | 'a second'
    | 'µs'
    | 'cores'
    | 'bytes'
  readonly goal?: Goal
}

/** One round of one figure. `candidate` and `floor` are what the value was made of, in units that the row's page names. */
export interface Sample {
  readonly value: number
  readonly candidate?: number
  readonly baseline?: number
}

/** A sample for every figure of the row; a figure that this round did not measure is absent. */
export type Round = Readonly<Record<string, Sample | undefined>>

/** A row whose processes run: `round` measures once, floor and candidate one after the other. */
export interface OpenRow {
  readonly round: (index: number) => Promise<Round>
  /** What a reader must know beside the figures: how many things, which durability, what was left out. */
  readonly notes: readonly string[]
}

/** One line of work of the table "Figures to reach". */
export interface Row {
  /** Name for `--only`. */
  readonly id: string
  readonly work: string
  readonly against: string
  /** How a sample's `candidate` and `floor` are measured, as in `ms per download`. */
  readonly measured: string
  readonly figures: Readonly<Record<string, FigureKind>>
  /** Another server is needed; `--no-peers` leaves the row out. */
  readonly needsComparisons?: boolean
  /** The web app has to be built for it, and Chromium is needed. */
  readonly opensWebApp?: boolean
  /** Every round starts its processes anew, so that a round which only warms up would change nothing. */
  readonly startsAnew?: boolean
  /** Starts what is measured; whatever the bench has started is ended by the bench after the last round. */
  readonly open: (bench: Bench) => Promise<OpenRow>
}

/** Thrown by a row that cannot run here; the sentence stands in the table instead of a figure. */
export class RowUnavailable extends Error {
  override readonly name = 'RowUnavailable'
}

/** Both measurements of a round, the first one by turns, so that neither always follows the other. */
export const interleave = async <A, B>(
  index: number,
  baseline: () => Promise<A>,
  candidate: () => Promise<B>,
): Promise<[baseline: A, candidate: B]> => {
  if (index % 2 === 0) {
    const first = await baseline()
    return [first, await candidate()]
  }
  const first = await candidate()
  return [await baseline(), first]
}
