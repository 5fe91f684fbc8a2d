import type { Rule } from '../rule.ts'
import { offerNearMatches } from './near-matches.ts'
import type { Selection } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** The rules that a selection means, in their order; throws a UsageError for an id that none has, or when none decides. */
export function selectRules(all: readonly Rule[], selection: Selection): readonly Rule[] {
  const inProfile = all.filter((rule) => selection.profile === 'full' || rule.profile === 'core')
  for (const wanted of selection.rules) {
    if (!all.some((rule) => isMeant(rule, wanted))) {
      const ids = all.map((rule) => rule.id)
      throw new UsageError(
        `--rule ${wanted}: no rule has this id or beginning${offerNearMatches(wanted, ids)} (the command list shows all)`,
      )
    }
    if (!inProfile.some((rule) => isMeant(rule, wanted))) {
      throw new UsageError(`--rule ${wanted} is of the profile full; add --profile full`)
    }
  }
  return selection.rules.length === 0
    ? inProfile
    : inProfile.filter((rule) => selection.rules.some((wanted) => isMeant(rule, wanted)))
}

/** Throws a UsageError when no rule of the selection can decide the verdict: a run that judges nothing must not be green. */
export function refuseEmptySelection(rules: readonly Rule[], selection: Selection): void {
  if (rules.length === 0) throw new UsageError('nothing was selected; leave --rule out or name other rules')
  if (selection.level === 'must' && rules.every((rule) => rule.level === 'should')) {
    throw new UsageError('only SHOULD rules are selected, and they do not decide the verdict; add --level should')
  }
}

function isMeant(rule: Rule, wanted: string): boolean {
  return rule.id.startsWith(wanted.toUpperCase())
}
