import type { ClientRule } from '../client-suite/client-rule.ts'
import { describeSource } from '../report/reported-result.ts'
import type { ClientRequirement } from '../requirements/clients.ts'
import type { ClientProfile, Profile } from '../result.ts'
import type { Requirement, Rule } from '../rule.ts'
import {
  anchorOfRequirement,
  anchorOfRule,
  findSpecification,
  groupBySection,
  titleOfSection,
} from '../specification.ts'
import { offerNearMatches, type Selection, UsageError } from './arguments.ts'

/** Selects rules, in their order. @throws UsageError for an ID that no rule has, or for a rule outside the profile. */
export function selectRules(all: readonly Rule[], selection: Selection): readonly Rule[] {
  const inProfile = all.filter((rule) => selection.profile === 'full' || rule.profile === 'core')
  for (const wanted of selection.rules) {
    if (!all.some((rule) => isSelected(rule, wanted))) {
      const ids = all.map((rule) => rule.id)
      throw new UsageError(
        `--rule ${wanted}: no rule has this ID or beginning${offerNearMatches(wanted, ids)} (the command list shows all)`,
      )
    }
    if (!inProfile.some((rule) => isSelected(rule, wanted))) {
      throw new UsageError(`--rule ${wanted} is of the profile full; add --profile full`)
    }
  }
  return selection.rules.length === 0
    ? inProfile
    : inProfile.filter((rule) => selection.rules.some((wanted) => isSelected(rule, wanted)))
}

/** Checks that a selected rule can decide the verdict: a run that checks nothing must not pass. @throws UsageError */
export function checkSelection(rules: readonly Pick<Rule, 'level'>[], selection: Pick<Selection, 'level'>): void {
  if (rules.length === 0) throw new UsageError('nothing was selected; leave --rule out or name other rules')
  if (selection.level === 'must' && rules.every((rule) => rule.level === 'should')) {
    throw new UsageError('only SHOULD rules are selected, and they do not decide the verdict; add --level should')
  }
}

/**
 * Selects rules for clients, in their order. @throws UsageError for an ID that no rule has, or for a rule of another
 * profile
 */
export function selectClientRules(
  all: readonly ClientRule[],
  profiles: readonly ClientProfile[],
  wanted: readonly string[],
): readonly ClientRule[] {
  const inProfiles = all.filter(({ profile }) => profiles.includes(profile))
  const ids = all.map(({ id }) => id)
  const isMeant = (rule: ClientRule, id: string): boolean => rule.id.startsWith(id.toUpperCase())
  for (const id of wanted) {
    const meant = all.filter((rule) => isMeant(rule, id))
    const [first] = meant
    if (first === undefined)
      throw new UsageError(
        `--rule ${id}: no rule for clients has this ID or beginning${offerNearMatches(id, ids)} (list --profile ${profiles[0] ?? 'api'} shows them)`,
      )
    if (!inProfiles.some((rule) => isMeant(rule, id)))
      throw new UsageError(`--rule ${id} is of the profile ${first.profile}, which is not checked here`)
  }
  return wanted.length === 0 ? inProfiles : inProfiles.filter((rule) => wanted.some((id) => isMeant(rule, id)))
}

function isSelected(rule: Rule, wanted: string): boolean {
  return rule.id.startsWith(wanted.toUpperCase())
}

/** A rule for servers or for clients, as far as lists show it. */
type ListedRule = Pick<Rule, 'id' | 'title' | 'level' | 'basis' | 'section' | 'requirements'> & {
  readonly profile: Profile | ClientProfile
}

/** Renders the rules by section, one on a line. */
export function renderList(rules: readonly ListedRule[]): string {
  const width = Math.max(0, ...rules.map((rule) => rule.id.length))
  const lines = groupBySection(rules).flatMap(([section, group]) => [
    `${section} ${titleOfSection(section)}`,
    ...group.map((rule) => `  ${rule.id.padEnd(width)}  ${rule.profile}  ${rule.basis.padEnd(7)}  ${rule.title}`),
    '',
  ])
  const must = rules.filter((rule) => rule.level === 'must').length
  return [...lines, `${rules.length} rules: ${must} MUST, ${rules.length - must} SHOULD.`, ''].join('\n')
}

/** Describes what one rule or requirement requires. @throws UsageError when none has this ID. */
export function explainRule(
  operands: readonly string[],
  rules: readonly (Rule | ClientRule)[],
  requirements: readonly (Requirement | ClientRequirement)[],
): string {
  const [wanted, extra] = operands
  if (wanted === undefined)
    throw new UsageError('explain needs the ID of a rule; write explain RULE-ID (the command list shows all)')
  if (extra !== undefined) throw new UsageError(`explain takes one rule ID, but ${extra} was also given`)
  const requirement = requirements.find(({ id }) => id.toLowerCase() === wanted.toLowerCase())
  if (requirement !== undefined) return explainRequirement(requirement, rules)
  const rule = rules.find((candidate) => candidate.id === wanted.toUpperCase())
  if (!rule) {
    const ids = rules.map((candidate) => candidate.id)
    throw new UsageError(`there is no rule ${wanted}${offerNearMatches(wanted, ids)} (the command list shows all)`)
  }
  const texts = new Map(requirements.map((requirement) => [requirement.id, requirement.text]))
  return [
    `${rule.id}  ${rule.title}`,
    '',
    `  level    ${rule.level.toUpperCase()}${rule.level === 'must' ? ', decides the verdict' : ', decides the verdict only with --level should'}`,
    `  profile  ${rule.profile}`,
    `  from     ${describeSource(rule)} (${titleOfSection(rule.section)})`,
    ...rule.requirements.map((id) => `  requires ${id}: ${texts.get(id) ?? '(text not in this package)'}`),
    `  read     ${locate(anchorOfRule(rule))}`,
    ...('features' in rule && rule.features.length > 0
      ? [`  needs    the feature ${rule.features.join(' and ')}`]
      : []),
    ...('faults' in rule && rule.faults.length > 0 ? [`  catches  ${rule.faults.join(', ')}`] : []),
    '',
    'features' in rule
      ? `Check it alone: thingsync-conformance client --rule ${rule.id} -- COMMAND…`
      : `Check it alone: thingsync-conformance --rule ${rule.id}${rule.profile === 'full' ? ' --profile full' : ''}`,
    '',
  ].join('\n')
}

function explainRequirement(
  requirement: Requirement | ClientRequirement,
  rules: readonly Pick<Rule, 'id' | 'requirements'>[],
): string {
  const observers = rules.filter((rule) => rule.requirements.includes(requirement.id)).map(({ id }) => id)
  return [
    `${requirement.id}  ${requirement.level.toUpperCase()}  ${requirement.text}`,
    '',
    `  from     protocol ${requirement.section} (${titleOfSection(requirement.section)}), ${requirement.basis}`,
    ...('follows' in requirement ? [`  follows  from "${requirement.follows}"`] : []),
    `  checked  ${observers.length > 0 ? `by ${observers.join(', ')}` : `by no rule: ${requirement.untested ?? ''}`}`,
    `  read     ${locate(anchorOfRequirement(requirement.id))}`,
    '',
  ].join('\n')
}

/** Describes an anchor in `protocol.md` with the path of that file. */
function locate(anchor: string): string {
  return `${anchor}, which is ${findSpecification()}`
}

/**
 * Renders each requirement with the rules that observe it, or why none does. A requirement with neither is marked, and
 * counted at the end.
 */
export function renderCoverage(requirements: readonly Requirement[], rules: readonly Rule[]): string {
  const lines = groupBySection(requirements).flatMap(([section, group]) => [
    `${section} ${titleOfSection(section)}`,
    ...group.flatMap((requirement) => [
      `  ${requirement.id}  ${requirement.level.toUpperCase()}  ${requirement.text}`,
      `      ${describeCoverage(requirement, rules)}`,
    ]),
    '',
  ])
  const observed = requirements.filter((requirement) => observersOf(requirement, rules).length > 0).length
  const explained = requirements.filter(
    (requirement) => observersOf(requirement, rules).length === 0 && requirement.untested !== undefined,
  ).length
  const gaps = requirements.length - observed - explained
  return [
    ...lines,
    `${requirements.length} requirements: ${observed} observed by rules, ${explained} not observed for the reason given, ${gaps} without either.`,
    '',
  ].join('\n')
}

/** Finds requirements that no rule observes and that do not say why. */
export function findGaps(requirements: readonly Requirement[], rules: readonly Rule[]): Requirement[] {
  return requirements.filter(
    (requirement) => observersOf(requirement, rules).length === 0 && requirement.untested === undefined,
  )
}

/** Finds requirement IDs that rules name and that do not exist. */
export function findUnknownRequirements(requirements: readonly Requirement[], rules: readonly Rule[]): string[] {
  const known = new Set(requirements.map((requirement) => requirement.id))
  return rules.flatMap((rule) => rule.requirements.filter((id) => !known.has(id)).map((id) => `${rule.id} names ${id}`))
}

function observersOf(requirement: Requirement, rules: readonly Rule[]): Rule[] {
  return rules.filter((rule) => rule.requirements.includes(requirement.id))
}

function describeCoverage(requirement: Requirement, rules: readonly Rule[]): string {
  const observers = observersOf(requirement, rules)
  if (observers.length > 0) return `observed by ${observers.map((rule) => rule.id).join(', ')}`
  return requirement.untested === undefined
    ? 'NOT OBSERVED, and no reason given'
    : `not observed: ${requirement.untested}`
}
