import type { Level } from '../levels.ts'

/**
 * Where a statement comes from: the interface says it, a client could not converge otherwise, the public service or its
 * known clients were seen to do it, or this project decided it where nobody says anything.
 */
export type ClauseBasis = 'stated' | 'derived' | 'observed' | 'ours'

/** One statement that a server must keep, in our own words; `docs/interface.md` tells it under its id. */
export interface Clause {
  /** `C-` for what every server of the interface keeps, `K-` for what this project's contract adds; never reused. */
  readonly id: string
  readonly section: string
  readonly level: Level
  readonly basis: ClauseBasis
  readonly text: string
  /** Why no rule observes it. */
  readonly untested?: string
}

/** A clause as it is written down: a MUST that the interface states, if it does not say otherwise. */
export type WrittenClause = Omit<Clause, 'section' | 'level' | 'basis'> & Partial<Pick<Clause, 'level' | 'basis'>>

/** The clauses of one section of the interface. */
export const clausesOf = (section: string, clauses: readonly WrittenClause[]): readonly Clause[] =>
  clauses.map((clause) => ({ level: 'must', basis: 'stated', ...clause, section }))
