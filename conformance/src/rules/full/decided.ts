import type { Rule } from '../../rule.ts'

/** What a decided rule still has to say of itself. */
export type DecidedRule = Pick<
  Rule,
  'id' | 'title' | 'section' | 'clauses' | 'faults' | 'alone' | 'patient' | 'restarts' | 'check'
>

/** A MUST of the profile full: this project's contract decides it where the interface is silent. */
export const decided = (rule: DecidedRule): Rule => ({ level: 'must', basis: 'decided', profile: 'full', ...rule })
