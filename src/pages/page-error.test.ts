import { expect, test } from 'vitest'
import { AccountError } from '../accounts/names.ts'
import { toPageError } from './page-error.tsx'

test('an account error becomes a page, as for the second removal of an app', () => {
  const failure = toPageError(new AccountError('there is no app with the client ID "x"; "app list" shows all apps'))

  expect(failure?.details).toEqual({
    status: 409,
    title: 'This is not possible',
    happened: 'There is no app with the client ID "x". Nothing was changed.',
    advice: 'Another user may have changed it meanwhile. Go back and reload the page.',
  })
})
