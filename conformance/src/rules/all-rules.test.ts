import { expect, test } from 'vitest'
import { allRequirements } from '../requirements/all-requirements.ts'
import { allRules, coreRules } from './all-rules.ts'

test('every rule has a unique ID with a meaning, a level in its title, a requirement and a fault', () => {
  expect(new Set(coreRules.map(({ id }) => id)).size).toBe(coreRules.length)
  for (const rule of coreRules) {
    expect(rule.id).toMatch(/^[A-Z]+(-[A-Z]+)*-\d\d$/)
    expect(rule.title).toMatch(rule.level === 'must' ? /^MUST / : /^SHOULD /)
    expect([rule.id, rule.requirements.length > 0, rule.faults.length > 0]).toEqual([rule.id, true, true])
  }
})

test('core has the requirements that the interface states or implies, and observes all that it can', () => {
  const specified = allRequirements.filter(({ id }) => id.startsWith('C-'))
  const observed = new Set(coreRules.flatMap(({ requirements }) => requirements))

  const unknown = [...observed].filter((id) => !specified.some((requirement) => requirement.id === id))
  const open = specified.filter(({ id, untested }) => untested === undefined && !observed.has(id)).map(({ id }) => id)

  expect([unknown, open]).toEqual([[], []])
})

test('a published ID stays, with the same meaning', async () => {
  const list = allRules.map(({ id, title }) => `${id} ${title}`).join('\n')

  await expect(`${list}\n`).toMatchFileSnapshot('published-rules.txt')
})
