import { expect, test } from 'vitest'
import { allRules } from '../rules/all-rules.ts'
import { titleOfSection } from '../specification.ts'
import { allRequirements } from './all-requirements.ts'

test('an ID belongs to one requirement, and contains its section of the interface', () => {
  const ids = allRequirements.map(({ id }) => id)

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(ids.filter((id) => !/^(C-[\d.]+-\d+|K-[a-z]+-\d+)$/.test(id))).toEqual([])
  const astray = allRequirements.filter(({ id, section }) => id.startsWith('C-') && !id.startsWith(`C-${section}-`))
  expect(astray.map(({ id }) => id)).toEqual([])
})

test('a requirement belongs to a section of the interface, and says where it comes from', () => {
  const wrong = allRequirements.filter(
    ({ id, basis, section }) =>
      titleOfSection(section) === 'Other' ||
      (id.startsWith('C-') ? basis !== 'specified' && basis !== 'implied' : basis === 'specified'),
  )

  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('a requirement is one or more whole sentences', () => {
  expect(allRequirements.filter(({ text }) => !/^\S.*\.$/.test(text)).map(({ id }) => id)).toEqual([])
})

test('a requirement says MUST, or MAY, and a SHOULD says SHOULD and no MUST', () => {
  const wrong = allRequirements.filter(({ level, text }) =>
    level === 'must' ? !/\b(?:MUST|MAY)\b/.test(text) : !/\bSHOULD\b/.test(text) || /\bMUST\b/.test(text),
  )

  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('no observed requirement says why no rule observes it', () => {
  const observed = new Set(allRules.flatMap(({ requirements }) => requirements))

  expect(allRequirements.filter(({ id, untested }) => untested !== undefined && observed.has(id))).toEqual([])
})

test('a published ID stays, with the same level', async () => {
  const list = allRequirements.map(({ id, level }) => `${id} ${level}`).join('\n')

  await expect(`${list}\n`).toMatchFileSnapshot('published-requirements.txt')
})

test('each requirement that a rule names exists, and each requirement has a rule or says why not', () => {
  const ids = new Set(allRequirements.map(({ id }) => id))
  const observed = new Set(allRules.flatMap(({ requirements }) => requirements))

  expect([...observed].filter((id) => !ids.has(id))).toEqual([])
  expect(allRequirements.filter(({ id, untested }) => !observed.has(id) && untested === undefined)).toEqual([])
})
