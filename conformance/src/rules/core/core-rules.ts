import type { Basis } from '../../levels.ts'
import type { Rule } from '../../rule.ts'

/** A rule of the profile core, without what follows from its title and its place. */
export interface CoreRule extends Omit<Rule, 'level' | 'profile' | 'section' | 'basis'> {
  /** Default `given`. */
  readonly basis?: Basis
  /** Default: the section of the file. */
  readonly section?: string
}

/** Rules of one section of the interface; the first word of a title is its level. */
export const coreSection = (section: string, rules: readonly CoreRule[]): readonly Rule[] =>
  rules.map((rule) => ({
    basis: 'given',
    section,
    ...rule,
    level: rule.title.startsWith('MUST ') ? 'must' : 'should',
    profile: 'core',
  }))
