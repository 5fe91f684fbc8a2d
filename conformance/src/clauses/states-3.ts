import { clausesOf } from './clause.ts'

/** Section 3: states and transitions. */
export const stateClauses = clausesOf('3', [
  { id: 'C-3-1', text: 'A thing can be archived and taken out of the archive again.' },
  { id: 'C-3-2', text: '`todoStatus` of a todo is true or false, as it was last set.' },
])
