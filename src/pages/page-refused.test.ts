import { expect, test } from 'vitest'
import { AccountRefused } from '../accounts/account-refused.ts'
import { describeError } from './page-refused.ts'

test('what the accounts refuse is said on a page, as to the second of two who remove an app at once', () => {
  const refused = describeError(new AccountRefused('there is no app with the client id "x"; "app list" shows all apps'))

  expect(refused?.refusal).toEqual({
    status: 409,
    title: 'This cannot be done',
    happened: 'There is no app with the client id "x". Nothing was done.',
    advice: 'Somebody may have changed it in the meantime: go back, and load the page again.',
  })
})
