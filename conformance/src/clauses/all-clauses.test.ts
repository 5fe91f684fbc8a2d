import { expect, test } from 'vitest'
import { titleOfSection } from '../report/sections.ts'
import { allRules } from '../rules/all-rules.ts'
import { allClauses } from './all-clauses.ts'

test('an id belongs to one clause, and says the section of what the interface states', () => {
  const ids = allClauses.map(({ id }) => id)

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(ids.filter((id) => !/^(C-[\d.]+-\d+|K-[a-z]+-\d+)$/.test(id))).toEqual([])
  const astray = allClauses.filter(({ id, section }) => id.startsWith('C-') && !id.startsWith(`C-${section}-`))
  expect(astray.map(({ id }) => id)).toEqual([])
})

test('a clause stands in a section that the interface has, and says where it comes from', () => {
  const wrong = allClauses.filter(
    ({ id, basis, section }) =>
      titleOfSection(section) === 'Other' ||
      (id.startsWith('C-') ? basis !== 'stated' && basis !== 'derived' : basis === 'stated'),
  )

  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('a clause is one or more whole sentences', () => {
  expect(allClauses.filter(({ text }) => !/^\S.*\.$/.test(text)).map(({ id }) => id)).toEqual([])
})

test('no clause says why no rule observes it while one does', () => {
  const observed = new Set(allRules.flatMap(({ clauses }) => clauses))

  expect(allClauses.filter(({ id, untested }) => untested !== undefined && observed.has(id))).toEqual([])
})

test('an id that was published stays, as binding as it was', async () => {
  const list = allClauses.map(({ id, level }) => `${id} ${level}`).join('\n')

  await expect(`${list}\n`).toMatchFileSnapshot('published-clauses.txt')
})

test('each clause that a rule names exists, and each clause has a rule or says why not', () => {
  const ids = new Set(allClauses.map(({ id }) => id))
  const observed = new Set(allRules.flatMap(({ clauses }) => clauses))

  expect([...observed].filter((id) => !ids.has(id))).toEqual([])
  expect(allClauses.filter(({ id, untested }) => !observed.has(id) && untested === undefined)).toEqual([])
})
