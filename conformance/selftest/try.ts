/**
 * `npx tsx conformance/selftest/try.ts NAME…`: tests new rules and faults. Each NAME is a prefix of the id of a rule
 * (runs the rule on the right server and on every fault that it names), of a fault (runs every rule that names it), or
 * of a legal difference (runs every rule on it). Exits 1 when a result is wrong.
 */

import { legalDifferences } from '../src/model/legal-differences.ts'
import { allRules } from '../src/rules/all-rules.ts'
import { allFaults } from './all-faults.ts'
import { checkServer, describeProblems, killersOf, rulesOf, scoreFaults } from './check-server.ts'

const names = process.argv.slice(2)
const isNamed = (id: string): boolean => names.some((name) => id.toLowerCase().startsWith(name.toLowerCase()))
const rules = allRules.filter(({ id }) => isNamed(id))
const faults = allFaults.filter(({ id }) => isNamed(id) || rules.some((rule) => rule.faults.includes(id)))
const legal = legalDifferences.filter(({ id }) => isNamed(id))
if (rules.length + faults.length + legal.length === 0) throw new Error(`nothing begins with ${names.join(' or ')}`)

const problem: string[] = []
const right = await checkServer({}, { rules, profile: 'full' })
for (const line of describeProblems(right)) problem.push(`on the right server: ${line}`)

const unnamed = allRules.filter(({ id, faults: named }) => rules.length === 0 || isNamed(id) || named.some(isNamed))
for (const { fault, foundBy, missedBy, ms, ...score } of await scoreFaults({ faults, rules: unnamed })) {
  const killed = isNamed(fault.id) ? killersOf({ fault, foundBy, missedBy, ms, ...score }).length > 0 : true
  console.log(`${fault.id}: found by ${foundBy.map(({ id }) => id).join(' ') || 'NO RULE'} (${ms} ms)`)
  if (!killed) problem.push(`${fault.id}: no MUST of its profile that names it fails`)
  for (const { rule, status, message } of missedBy) {
    problem.push(`${rule.id} does not fail on ${fault.id}: ${status} ${message}`)
  }
}

for (const { id, profile, behavior, prepare } of legal) {
  const options = { behavior: behavior(), ...(prepare === undefined ? {} : { prepare }) }
  const report = await checkServer(options, { rules: rulesOf(allRules, profile), profile })
  console.log(`${id}: ${report.verdict}`)
  for (const line of describeProblems(report)) problem.push(`on ${id}: ${line}`)
}

for (const line of problem) console.log(line)
console.log(problem.length === 0 ? 'all results are right' : `${problem.length} wrong results`)
process.exitCode = problem.length === 0 ? 0 : 1
