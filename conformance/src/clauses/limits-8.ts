import { clausesOf } from './clause.ts'

/** Section 8: limits. */
export const limitClauses = clausesOf('8', [
  { id: 'C-8-1', text: 'The validity of an access token is the `expires_in` of its answer.' },
])
