import type { Lab } from './lab.ts'
import type { Basis, Level, Profile } from './levels.ts'

/** One requirement and the check that judges it. Ids have a meaning, never change and are never reused. */
export interface Rule {
  /** Area, topic, two digits: `SYNC-DELTA-02`. */
  readonly id: string
  /** The requirement itself, level first: `MUST list a changed thing once`. */
  readonly title: string
  readonly level: Level
  readonly basis: Basis
  readonly profile: Profile
  /** Section of the interface: `4.3`. */
  readonly section: string
  /** Ids of the clauses (`src/clauses/`) that this rule observes. */
  readonly clauses: readonly string[]
  /** Ids of the self-test's faults that this rule must catch. */
  readonly faults: readonly string[]
  /** True when nothing else may write to the account meanwhile (counts, absence of changes); such rules run one by one. */
  readonly alone?: true
  /**
   * True when most of its time is waiting: such rules run side by side after those that run alone, and judge only what
   * they made.
   */
  readonly patient?: true
  /** True when it looks back on the whole run; such rules run after all others. */
  readonly last?: true
  /** True when it looks at the server before and after a restart; such rules share one, at the very end. */
  readonly restarts?: true
  /** Resolves when the server keeps the rule; throws a Finding when it does not, a Blocked when it can't be judged. */
  readonly check: (lab: Lab) => Promise<void>
}
