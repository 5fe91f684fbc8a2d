import { expect, test } from 'vitest'
import { allRequirements } from '../requirements/all-requirements.ts'
import { allRules } from '../rules/all-rules.ts'
import { titleOfSection } from '../specification.ts'
import { findGaps, findUnknownRequirements, renderCoverage } from './rule-lists.ts'

test('every requirement is observed by a rule or says why not', () => {
  expect(findGaps(allRequirements, allRules).map((requirement) => `${requirement.id}: ${requirement.text}`)).toEqual([])
})

test('no rule names a requirement that does not exist', () => {
  expect(findUnknownRequirements(allRequirements, allRules)).toEqual([])
})

test('no two rules share an ID, and every ID has a meaning and two digits', () => {
  const ids = allRules.map((rule) => rule.id)

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(ids.filter((id) => !/^[A-Z]+(-[A-Z0-9]+)*-\d\d$/.test(id))).toEqual([])
})

test('a title says the level of its rule, and extension rules belong to the profile full', () => {
  const wrong = allRules.filter((rule) => {
    const level = rule.title.startsWith('MUST ') ? 'must' : rule.title.startsWith('SHOULD ') ? 'should' : undefined
    return (
      level !== rule.level ||
      (rule.basis === 'extension') !== (rule.profile === 'full') ||
      titleOfSection(rule.section) === 'Other'
    )
  })

  expect(wrong.map((rule) => rule.id)).toEqual([])
})

test('coverage shows which requirements are observed, unobserved with a reason, or unexplained', () => {
  const requirement = { section: '4.3', level: 'must', basis: 'specified', text: 'A text.' } as const
  const requirements = [
    { ...requirement, id: 'C-1' },
    { ...requirement, id: 'C-2', untested: 'It can not be seen.' },
    { ...requirement, id: 'C-3' },
  ]
  const rules = allRules.slice(0, 1).map((rule) => ({ ...rule, id: 'SOME-RULE-01', requirements: ['C-1'] }))

  expect(renderCoverage(requirements, rules).split('\n')).toEqual([
    '4.3 sync',
    '  C-1  MUST  A text.',
    '      observed by SOME-RULE-01',
    '  C-2  MUST  A text.',
    '      not observed: It can not be seen.',
    '  C-3  MUST  A text.',
    '      NOT OBSERVED, and no reason given',
    '',
    '3 requirements: 1 observed by rules, 1 not observed for the reason given, 1 without either.',
    '',
  ])
})
