import { clausesOf } from './clause.ts'

/** Section 1: what the service does. */
export const serviceClauses = clausesOf('1', [
  { id: 'C-1-1', text: 'Every answer is JSON.' },
  { id: 'C-1-2', text: 'Things and tag settings belong to one user; another user never sees or changes them.' },
  {
    id: 'C-1-3',
    text: 'An application is known by a client id and a client secret; without a registered pair it gets no token.',
  },
  { id: 'C-1-4', text: 'A call without a valid access token reads and changes nothing.' },
])
