import type { Bench } from './bench.ts'

/** The limit that a figure must reach. `least`: the median is at least `limit`; `most`: it is at most `limit`. */
export interface Goal {
  readonly is: 'least' | 'most'
  readonly limit: number
}

/** The description of one figure of a row. A figure without a goal is for information only. */
export interface FigureKind {
  readonly title: string
  /** `x` is the ratio of candidate and baseline in one round. Most goals are for ratios. */
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

/** One figure in one round. `value` is derived from `candidate` and `baseline`; the row's `measured` has their unit. */
export interface Sample {
  readonly value: number
  readonly candidate?: number
  readonly baseline?: number
}

/** The samples of one round, by the key of the figure. A figure that the round did not measure is absent. */
export type Round = Readonly<Record<string, Sample | undefined>>

/** A row with running processes. `round` measures once: baseline and candidate, one after the other. */
export interface OpenRow {
  readonly round: (index: number) => Promise<Round>
  /** Notes for the reader of the figures: number of things, durability, omissions. */
  readonly notes: readonly string[]
}

/** One row of the benchmark: an operation of the server and the figures to measure. */
export interface Row {
  /** The name that `--only` takes, and the key in the results. */
  readonly id: string
  readonly work: string
  readonly against: string
  /** The unit of a sample's `candidate` and `baseline`, as in `ms per download`. */
  readonly measured: string
  readonly figures: Readonly<Record<string, FigureKind>>
  /** Whether the row needs a comparison server; `--no-comparison` skips such rows. */
  readonly needsComparisons?: boolean
  /** Whether the row needs the web app: the bench builds it first. */
  readonly opensWebApp?: boolean
  /** Whether each round starts its own processes. The bench then omits the warm-up round. */
  readonly restartsEachRound?: boolean
  /** Starts the processes to measure. The bench ends its processes after the last round. */
  readonly open: (bench: Bench) => Promise<OpenRow>
}

/** Thrown by a row that cannot run on this machine. The table shows its sentence instead of figures. */
export class RowUnavailable extends Error {
  override readonly name = 'RowUnavailable'
}

/** Runs both measurements of a round. The order alternates with `index`, so that neither always runs first. */
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
