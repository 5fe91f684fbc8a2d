import { clausesOf } from './clause.ts'

/** Section 4: what holds for every operation, and the token endpoint. */
export const requestClauses = [
  ...clausesOf('4', [
    { id: 'K-request-2', basis: 'ours', text: 'Another content type is refused: 415 `unsupported_media_type`.' },
    { id: 'K-request-3', basis: 'observed', text: 'Query parameters of a POST are read too; the body wins.' },
    { id: 'K-request-4', basis: 'ours', text: 'Unknown parameters are ignored.' },
    {
      id: 'K-request-6',
      basis: 'observed',
      text: 'Booleans may be spelled true, false, 1 or 0, quoted or not, in any letter case; anything else is `parameter_invalid`.',
    },
    {
      id: 'K-request-7',
      basis: 'observed',
      text: 'Numbers may be numeric strings; anything else is `parameter_invalid`.',
    },
    { id: 'K-request-11', basis: 'ours', text: 'JSON may nest 32 levels deep and no deeper.' },
  ]),
  ...clausesOf('4.2', [
    { id: 'C-4.2-1', text: 'The token endpoint takes POST with a form body at `{base_url}token`.' },
  ]),
]
