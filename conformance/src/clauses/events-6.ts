import { clausesOf } from './clause.ts'

/** Section 6: Events. */
export const eventClauses = clausesOf('6', [
  {
    id: 'C-6-1',
    level: 'should',
    text: 'Clients can register and remove webhooks.',
    untested: 'Shapes, payloads and delivery are not shown (K-hook-1 for the profile full).',
  },
  { id: 'K-hook-1', basis: 'observed', text: 'webhook/register and unregister take target_url and event.' },
])
