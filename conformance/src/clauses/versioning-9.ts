import { clausesOf } from './clause.ts'

/** Section 9: versioning. */
export const versioningClauses = clausesOf('9', [
  {
    id: 'C-9-1',
    text: 'The base address ends in the version segment `/v1/`.',
    untested: 'The base address is given to the suite; every rule uses it.',
  },
])
