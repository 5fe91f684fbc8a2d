import { expect, test } from 'vitest'
import { legalDifferences } from '../model/legal-differences.ts'
import { clientRequirements } from '../requirements/clients.ts'
import { titleOfSection } from '../specification.ts'
import { allClientRules } from './all-client-rules.ts'
import { differencesOf, groups, isUnplayed, unplayed } from './rules/legal-servers.ts'

test('an ID begins with CLIENT-, belongs to one rule, and stays with its title', async () => {
  const ids = allClientRules.map(({ id }) => id)

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(ids.filter((id) => !/^CLIENT-[A-Z]+-\d\d$/.test(id))).toEqual([])
  const list = allClientRules.map(({ id, profile, title }) => `${id} ${profile} ${title}`).join('\n')
  await expect(`${list}\n`).toMatchFileSnapshot('published-client-rules.txt')
})

test('a title begins with its level', () => {
  expect(allClientRules.filter(({ title }) => !/^(MUST|SHOULD) /.test(title)).map(({ id }) => id)).toEqual([])
})

test('each rule names requirements that exist, of its level where it is a MUST', () => {
  const levels = new Map(clientRequirements.map(({ id, level }) => [id, level]))
  const wrong = allClientRules.filter(
    ({ level, requirements }) =>
      requirements.length === 0 ||
      requirements.some((id) => !levels.has(id)) ||
      (level === 'must' && requirements.every((id) => levels.get(id) === 'should')),
  )

  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('each requirement for clients has a rule, a section, and the sentence that it follows from', () => {
  const observed = new Set(allClientRules.flatMap(({ requirements }) => requirements))
  const ids = clientRequirements.map(({ id }) => id)

  expect(ids.filter((id) => !observed.has(id))).toEqual([])
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  const wrong = clientRequirements.filter(
    ({ id, section, follows, text, level }) =>
      !id.startsWith(`D-${section}-`) ||
      titleOfSection(section) === 'Other' ||
      follows.length < 5 ||
      !/\.$/.test(text) ||
      (level === 'must' ? !/\bMUST\b/.test(text) : !/\bSHOULD\b/.test(text) || /\bMUST\b/.test(text)),
  )
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('a published requirement stays, with the same level', async () => {
  const list = clientRequirements.map(({ id, level }) => `${id} ${level}`).join('\n')

  await expect(`${list}\n`).toMatchFileSnapshot('../requirements/published-client-requirements.txt')
})

test('each legal difference is played by one group, or says why not', () => {
  const played = new Set(groups.flatMap((group) => differencesOf(group).map(({ id }) => id)))

  const ids = legalDifferences.map(({ id }) => id)
  expect(ids.filter((id) => !played.has(id) && !isUnplayed(id))).toEqual([])
  expect(Object.keys(unplayed).filter((start) => !ids.some((id) => id.startsWith(start)))).toEqual([])
})
