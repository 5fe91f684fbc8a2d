import { expect, test } from 'vitest'
import { allClauses } from '../../clauses/all-clauses.ts'
import { coreRules } from './all-core-rules.ts'

test('every rule has an id of its own with a meaning, a level in its title, a clause and a fault', () => {
  expect(new Set(coreRules.map(({ id }) => id)).size).toBe(coreRules.length)
  for (const rule of coreRules) {
    expect(rule.id).toMatch(/^[A-Z]+(-[A-Z]+)*-\d\d$/)
    expect(rule.title).toMatch(rule.level === 'must' ? /^MUST / : /^SHOULD /)
    expect([rule.id, rule.clauses.length > 0, rule.faults.length > 0]).toEqual([rule.id, true, true])
  }
})

test('the clauses of core are those that the interface states or implies, and each that can be observed is observed', () => {
  const stated = allClauses.filter(({ id }) => id.startsWith('C-'))
  const observed = new Set(coreRules.flatMap(({ clauses }) => clauses))

  const unknown = [...observed].filter((id) => !stated.some((clause) => clause.id === id))
  const open = stated.filter(({ id, untested }) => untested === undefined && !observed.has(id)).map(({ id }) => id)

  expect([unknown, open]).toEqual([[], []])
})
