import { expect, test } from 'vitest'
import { AccountError } from '../accounts/names.ts'
import { toPageError } from './page-error.tsx'

test('an account error becomes a page, as for the second removal of an app', () => {
  const failure = toPageError(new AccountError('there is no app with the client id "x"; "app list" shows all apps'))

  expect(failure?.details).toEqual({
    status: 409,
    title: 'This cannot be done',
    happened: 'There is no app with the client id "x". Nothing was done.',
    advice: 'Another user may have changed it in the meantime: go back, and load the page again.',
  })
})
