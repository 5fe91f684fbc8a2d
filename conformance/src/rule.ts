import type { Lab } from './lab.ts'
import type { Basis, Level, Profile } from './result.ts'

/**
 * Where a requirement comes from: the interface states it; clients could not converge without it; the public service or
 * its known clients do it; or this project adds it where the interface is silent.
 */
type RequirementBasis = 'specified' | 'implied' | 'observed' | 'extension'

/** One requirement for servers, in our own words; `docs/reference/protocol.md` contains it under its ID. */
export interface Requirement {
  /** `C-` for every server of the interface, `K-` for the extensions of this project's contract; never reused. */
  readonly id: string
  readonly section: string
  readonly level: Level
  readonly basis: RequirementBasis
  readonly text: string
  /** The reason why no rule observes it. */
  readonly untested?: string
}

/** A requirement as written in its list; by default a MUST that the interface states. */
type WrittenRequirement = Omit<Requirement, 'section' | 'level' | 'basis'> &
  Partial<Pick<Requirement, 'level' | 'basis'>>

/** Completes the requirements of one section of the interface. */
export const requirementsOf = (section: string, requirements: readonly WrittenRequirement[]): readonly Requirement[] =>
  requirements.map((requirement) => ({ level: 'must', basis: 'specified', ...requirement, section }))

/** One rule and its check. IDs have a meaning, never change and are never reused. */
export interface Rule {
  /** Area, topic, two digits: `SYNC-INCREMENTAL-02`. */
  readonly id: string
  /** The rule in one sentence, level first: `MUST list a changed thing once`. */
  readonly title: string
  readonly level: Level
  readonly basis: Basis
  readonly profile: Profile
  /** Section of the interface: `4.3`. */
  readonly section: string
  /** IDs of the requirements (`src/requirements/`) that this rule observes. */
  readonly requirements: readonly string[]
  /** IDs of the self-test's faults that this rule must catch. */
  readonly faults: readonly string[]
  /** True when nothing else may write to the account meanwhile (counts, no changes); such rules run one by one. */
  readonly alone?: true
  /**
   * True when the rule mostly waits. Such rules run side by side after those that run alone, and check only what they
   * created.
   */
  readonly waits?: true
  /** True when the rule checks the whole run; such rules run after all others. */
  readonly last?: true
  /** True when the rule checks the server before and after a restart; such rules share one restart at the end. */
  readonly restarts?: true
  /** Resolves when the server passes. @throws Finding when it fails, Blocked or Skipped when it cannot be checked. */
  readonly check: (lab: Lab) => Promise<void>
}

/** A rule of the profile core, without the fields that follow from its title and its section. */
export interface CoreRule extends Omit<Rule, 'level' | 'profile' | 'section' | 'basis'> {
  /** Default `specified`. */
  readonly basis?: Basis
  /** Default: the section of the file. */
  readonly section?: string
}

/** Completes the rules of one section of the interface; the first word of a title is its level. */
export const coreRulesOf = (section: string, rules: readonly CoreRule[]): readonly Rule[] =>
  rules.map((rule) => ({
    basis: 'specified',
    section,
    ...rule,
    level: rule.title.startsWith('MUST ') ? 'must' : 'should',
    profile: 'core',
  }))

/** The fields of an extension rule that have no fixed value. */
type ExtensionRule = Pick<
  Rule,
  'id' | 'title' | 'section' | 'requirements' | 'faults' | 'alone' | 'waits' | 'restarts' | 'check'
>

/** Creates a MUST of the profile full: this project's contract adds it where the interface is silent. */
export const extensionRule = (rule: ExtensionRule): Rule => ({
  level: 'must',
  basis: 'extension',
  profile: 'full',
  ...rule,
})
