import type { Lab } from './lab.ts'
import type { Basis, Level, Profile } from './result.ts'

/**
 * Where a statement comes from: the interface says it, a client could not converge otherwise, the public service or its
 * known clients were seen to do it, or this project decided it where nobody says anything.
 */
type RequirementBasis = 'specified' | 'implied' | 'observed' | 'extension'

/** One statement that a server must keep, in our own words; `docs/interface.md` tells it under its id. */
export interface Requirement {
  /** `C-` for what every server of the interface keeps, `K-` for what this project's contract adds; never reused. */
  readonly id: string
  readonly section: string
  readonly level: Level
  readonly basis: RequirementBasis
  readonly text: string
  /** Why no rule observes it. */
  readonly untested?: string
}

/** A clause as it is written down: a MUST that the interface states, if it does not say otherwise. */
type WrittenRequirement = Omit<Requirement, 'section' | 'level' | 'basis'> &
  Partial<Pick<Requirement, 'level' | 'basis'>>

/** The clauses of one section of the interface. */
export const requirementsOf = (section: string, requirements: readonly WrittenRequirement[]): readonly Requirement[] =>
  requirements.map((requirement) => ({ level: 'must', basis: 'specified', ...requirement, section }))

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
  readonly requirements: readonly string[]
  /** Ids of the self-test's faults that this rule must catch. */
  readonly faults: readonly string[]
  /** True when nothing else may write to the account meanwhile (counts, absence of changes); such rules run one by one. */
  readonly alone?: true
  /**
   * True when most of its time is waiting: such rules run side by side after those that run alone, and judge only what
   * they made.
   */
  readonly waits?: true
  /** True when it looks back on the whole run; such rules run after all others. */
  readonly last?: true
  /** True when it looks at the server before and after a restart; such rules share one, at the very end. */
  readonly restarts?: true
  /** Resolves when the server keeps the rule; throws a Finding when it does not, a Blocked when it can't be judged. */
  readonly check: (lab: Lab) => Promise<void>
}

/** A rule of the profile core, without what follows from its title and its place. */
export interface CoreRule extends Omit<Rule, 'level' | 'profile' | 'section' | 'basis'> {
  /** Default `given`. */
  readonly basis?: Basis
  /** Default: the section of the file. */
  readonly section?: string
}

/** Rules of one section of the interface; the first word of a title is its level. */
export const coreRulesOf = (section: string, rules: readonly CoreRule[]): readonly Rule[] =>
  rules.map((rule) => ({
    basis: 'specified',
    section,
    ...rule,
    level: rule.title.startsWith('MUST ') ? 'must' : 'should',
    profile: 'core',
  }))

/** What a decided rule still has to say of itself. */
type ExtensionRule = Pick<
  Rule,
  'id' | 'title' | 'section' | 'requirements' | 'faults' | 'alone' | 'waits' | 'restarts' | 'check'
>

/** A MUST of the profile full: this project's contract decides it where the interface is silent. */
export const extensionRule = (rule: ExtensionRule): Rule => ({
  level: 'must',
  basis: 'extension',
  profile: 'full',
  ...rule,
})
