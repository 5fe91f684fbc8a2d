import { expect, test } from 'vitest'
import { allRules } from '../rules/all-rules.ts'
import { currentId } from './former-ids.ts'
import { selectRules } from './select-rules.ts'

test('former ids still name their rules', () => {
  const former = [
    'AUTH-QUERY-02',
    'access-missing-01',
    'HEADER-BEARER-01',
    'TAGS-GET-01',
    'SETTING-TODO-01',
    'TODO-CARRIES-01',
  ]

  expect(former.map(currentId).filter((id) => !allRules.some((rule) => rule.id === id))).toEqual([])
  expect(selectRules(allRules, { profile: 'core', level: 'must', rules: ['AUTH-QUERY'] }).length).toBeGreaterThan(1)
})

test('an id of today is never taken for a former one', () => {
  expect(allRules.map(({ id }) => currentId(id))).toEqual(allRules.map(({ id }) => id))
})
