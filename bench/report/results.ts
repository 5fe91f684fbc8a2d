import type { Machine } from '../machine/describe-machine.ts'
import type { FigureKind, Round, Row } from '../row.ts'
import { findSpread, type Spread } from './median.ts'

/** One figure as it was measured. */
export interface FigureResult extends FigureKind {
  readonly key: string
  readonly value: Spread
  readonly candidate?: Spread
  readonly floor?: Spread
  /** Whether the median reaches the goal, where there is one. */
  readonly isReached?: boolean
}

/** How a row was measured; rows of one file may come from several runs. */
export interface Provenance {
  readonly date: string
  readonly command: string
  readonly machine: Machine
  readonly isPinned: boolean
  readonly note?: string
  /** Load averages before and after. */
  readonly load: readonly [before: number, after: number]
}

/** One row as it was measured, or the sentence that says why it was not. */
export interface RowResult {
  readonly id: string
  readonly work: string
  readonly against: string
  readonly measured: string
  readonly figures: readonly FigureResult[]
  readonly notes: readonly string[]
  readonly missing?: string
  readonly run: Provenance
}

/** The file in `docs/benchmarks/`. */
export interface Results {
  readonly about: string
  readonly rows: readonly RowResult[]
}

/** Sums up the rounds of a row; figures that no round has measured are left out. */
export const summarise = (figures: Row['figures'], rounds: readonly Round[]): FigureResult[] =>
  Object.entries(figures).flatMap(([key, kind]) => {
    const samples = rounds.flatMap((round) => round[key] ?? [])
    if (samples.length === 0) return []
    const value = findSpread(samples.map((sample) => sample.value))
    const candidates = samples.flatMap((sample) => sample.candidate ?? [])
    const floors = samples.flatMap((sample) => sample.floor ?? [])
    return [
      {
        key,
        ...kind,
        value,
        ...(candidates.length > 0 ? { candidate: findSpread(candidates) } : {}),
        ...(floors.length > 0 ? { floor: findSpread(floors) } : {}),
        ...(kind.goal ? { isReached: isReached(kind.goal, value.median) } : {}),
      },
    ]
  })

/** Whether a value is at least, or at most, what the goal says. */
export const isReached = (goal: NonNullable<FigureKind['goal']>, value: number): boolean =>
  goal.is === 'least' ? value >= goal.limit : value <= goal.limit

/** Puts rows that were measured now in the place of older ones; the order is that of `ids`. */
export const mergeRows = (
  older: readonly RowResult[],
  newer: readonly RowResult[],
  ids: readonly string[],
): RowResult[] => {
  const byId = new Map([...older, ...newer].map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
