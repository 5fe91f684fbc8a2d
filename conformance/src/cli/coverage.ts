import type { Clause } from '../clauses/clause.ts'
import { groupBySection, titleOfSection } from '../report/sections.ts'
import type { Rule } from '../rule.ts'

/** Clause by clause: the rules that observe it, or why none does. A clause with neither is marked, and counted at the end. */
export function renderCoverage(clauses: readonly Clause[], rules: readonly Rule[]): string {
  const lines = groupBySection(clauses).flatMap(([section, group]) => [
    `${section} ${titleOfSection(section)}`,
    ...group.flatMap((clause) => [
      `  ${clause.id}  ${clause.level.toUpperCase()}  ${clause.text}`,
      `      ${describeCoverage(clause, rules)}`,
    ]),
    '',
  ])
  const observed = clauses.filter((clause) => observersOf(clause, rules).length > 0).length
  const explained = clauses.filter(
    (clause) => observersOf(clause, rules).length === 0 && clause.untested !== undefined,
  ).length
  const gaps = clauses.length - observed - explained
  return [
    ...lines,
    `${clauses.length} clauses: ${observed} observed by rules, ${explained} not observed for the reason given, ${gaps} without either.`,
    '',
  ].join('\n')
}

/** Clauses that no rule observes and that do not say why. */
export function findGaps(clauses: readonly Clause[], rules: readonly Rule[]): Clause[] {
  return clauses.filter((clause) => observersOf(clause, rules).length === 0 && clause.untested === undefined)
}

/** Clause ids that rules name and that do not exist. */
export function findUnknownClauses(clauses: readonly Clause[], rules: readonly Rule[]): string[] {
  const known = new Set(clauses.map((clause) => clause.id))
  return rules.flatMap((rule) => rule.clauses.filter((id) => !known.has(id)).map((id) => `${rule.id} names ${id}`))
}

function observersOf(clause: Clause, rules: readonly Rule[]): Rule[] {
  return rules.filter((rule) => rule.clauses.includes(clause.id))
}

function describeCoverage(clause: Clause, rules: readonly Rule[]): string {
  const observers = observersOf(clause, rules)
  if (observers.length > 0) return `observed by ${observers.map((rule) => rule.id).join(', ')}`
  return clause.untested === undefined ? 'NOT OBSERVED, and no reason given' : `not observed: ${clause.untested}`
}
