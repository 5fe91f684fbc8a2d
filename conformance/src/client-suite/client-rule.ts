import type { Basis, ClientProfile, Level } from '../result.ts'
import type { Feature } from './adapter.ts'
import type { ClientLab } from './client-lab.ts'

/** One rule for clients and its check. IDs begin with `CLIENT-`, have a meaning, never change and are never reused. */
export interface ClientRule {
  readonly id: string
  /** The rule in one sentence, level first: `MUST use the _id of a thing after its creation`. */
  readonly title: string
  readonly level: Level
  readonly basis: Basis
  readonly profile: ClientProfile
  /** Section of the interface: `4.3`. */
  readonly section: string
  /** IDs of the requirements for clients (`../requirements/clients.ts`) that this rule observes. */
  readonly requirements: readonly string[]
  /** Features without which the rule is skipped. */
  readonly features: readonly Feature[]
  /**
   * Maximum time of the rule, in milliseconds. It is many times what a client needs, because the machine may be busy; a
   * client that hangs is found by the time limit of each command.
   */
  readonly maxMs: number
  /** Resolves when the client passes. @throws Finding when it fails, Skipped when it cannot be checked */
  readonly check: (lab: ClientLab) => Promise<void>
}

/** A rule without the fields that follow from its title, its profile and its section. */
export interface WrittenClientRule extends Pick<ClientRule, 'id' | 'title' | 'requirements' | 'check'> {
  /** Default `implied`: the requirements for clients follow from sentences of the interface. */
  readonly basis?: Basis
  /** Default: the section of the list. */
  readonly section?: string
  readonly features?: readonly Feature[]
  /** Default: 120 s, because a client may be a browser that starts several times. */
  readonly maxMs?: number
}

/** Completes the rules of one profile and one section of the interface; the first word of a title is its level. */
export const clientRulesOf = (
  profile: ClientProfile,
  section: string,
  rules: readonly WrittenClientRule[],
): readonly ClientRule[] =>
  rules.map((rule) => ({
    ...{ basis: 'implied', section, features: [], maxMs: 120_000 },
    ...rule,
    level: rule.title.startsWith('MUST ') ? 'must' : 'should',
    profile,
  }))
