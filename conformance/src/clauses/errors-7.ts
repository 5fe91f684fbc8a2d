import { clausesOf } from './clause.ts'

/** Section 7: errors. */
export const errorClauses = clausesOf('7', [
  { id: 'C-7-1', text: 'An error is a JSON object with the strings `error` and `error_description`.' },
  {
    id: 'C-7-2',
    text: 'An expired or invalid access token gets the error `invalid_grant` with the description "The access token provided is invalid".',
  },
  { id: 'K-error-1', basis: 'ours', text: 'A bad parameter is 400 `parameter_invalid`, and the description names it.' },
  { id: 'K-error-2', basis: 'ours', text: 'An unknown `_id` in `thing/change` and `thing/delete` is 404 `not_found`.' },
  {
    id: 'K-error-3',
    basis: 'ours',
    text: 'An unknown operation is 404 `not_found`; a wrong method is 405 `method_not_allowed` with `Allow`.',
  },
  { id: 'K-error-4', basis: 'ours', text: 'A body that is too large, or too many things, is 413 `too_large`.' },
  {
    id: 'K-error-5',
    basis: 'ours',
    text: 'Too many failed attempts at the token endpoint are 429 `slow_down` with `Retry-After`.',
    untested: 'It would lock the account of the run.',
  },
  {
    id: 'K-error-7',
    basis: 'ours',
    text: 'A store that fails is 503 `temporarily_unavailable` with `Retry-After`; a bug is 500 `server_error`.',
    untested: 'It cannot be provoked from outside.',
  },
  {
    id: 'K-error-8',
    basis: 'ours',
    text: 'A request is all or nothing: with any error in it nothing of it is applied.',
  },
  {
    id: 'K-error-9',
    basis: 'ours',
    text: 'A server may limit the tags with settings of an account. An upload that would exceed the limit is 413 `too_large`, and the description names the limit.',
    untested: 'It would leave thousands of tag names in the account of the run, where they count against the limit.',
  },
])
