import type { Clause } from '../clauses/clause.ts'
import { describeSource } from '../report/failure.ts'
import { groupBySection, titleOfSection } from '../report/sections.ts'
import type { Rule } from '../rule.ts'
import { addressOfClause, addressOfRule, findSpecification } from '../specification.ts'
import { offerNearMatches } from './near-matches.ts'
import { UsageError } from './usage-error.ts'

/** The rules by section, one a line. */
export function renderList(rules: readonly Rule[]): string {
  const width = Math.max(0, ...rules.map((rule) => rule.id.length))
  const lines = groupBySection(rules).flatMap(([section, group]) => [
    `${section} ${titleOfSection(section)}`,
    ...group.map((rule) => `  ${rule.id.padEnd(width)}  ${rule.profile}  ${rule.basis.padEnd(7)}  ${rule.title}`),
    '',
  ])
  const must = rules.filter((rule) => rule.level === 'must').length
  return [...lines, `${rules.length} rules: ${must} MUST, ${rules.length - must} SHOULD.`, ''].join('\n')
}

/** What one rule or clause asks for; throws a UsageError when there is none with this id. */
export function explainRule(operands: readonly string[], rules: readonly Rule[], clauses: readonly Clause[]): string {
  const [wanted, extra] = operands
  if (wanted === undefined)
    throw new UsageError('explain needs the id of a rule; write explain RULE-ID (the command list shows all)')
  if (extra !== undefined) throw new UsageError(`explain takes one rule id, but ${extra} was given too`)
  const clause = clauses.find(({ id }) => id.toLowerCase() === wanted.toLowerCase())
  if (clause !== undefined) return explainClause(clause, rules)
  const rule = rules.find((candidate) => candidate.id === wanted.toUpperCase())
  if (!rule) {
    const ids = rules.map((candidate) => candidate.id)
    throw new UsageError(`there is no rule ${wanted}${offerNearMatches(wanted, ids)} (the command list shows all)`)
  }
  const texts = new Map(clauses.map((clause) => [clause.id, clause.text]))
  return [
    `${rule.id}  ${rule.title}`,
    '',
    `  level    ${rule.level.toUpperCase()}${rule.level === 'must' ? ', decides the verdict' : ', decides the verdict only with --level should'}`,
    `  profile  ${rule.profile}`,
    `  from     ${describeSource(rule)} (${titleOfSection(rule.section)})`,
    ...rule.clauses.map((id) => `  clause   ${id}: ${texts.get(id) ?? '(text not in this package)'}`),
    `  read     ${locate(addressOfRule(rule))}`,
    ...(rule.faults.length === 0 ? [] : [`  catches  ${rule.faults.join(', ')}`]),
    '',
    `Judge it alone: thingsync-conformance --rule ${rule.id}${rule.profile === 'full' ? ' --profile full' : ''}`,
    '',
  ].join('\n')
}

function explainClause(clause: Clause, rules: readonly Rule[]): string {
  const observers = rules.filter((rule) => rule.clauses.includes(clause.id)).map(({ id }) => id)
  return [
    `${clause.id}  ${clause.level.toUpperCase()}  ${clause.text}`,
    '',
    `  from     interface ${clause.section} (${titleOfSection(clause.section)}), ${clause.basis}`,
    `  judged   ${observers.length > 0 ? `by ${observers.join(', ')}` : `by no rule: ${clause.untested ?? ''}`}`,
    `  read     ${locate(addressOfClause(clause.id))}`,
    '',
  ].join('\n')
}

/** An address in `interface.md` with the path of that file. */
function locate(address: string): string {
  return `${address}, which is ${findSpecification()}`
}
