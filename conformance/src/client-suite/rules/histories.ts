import { clientRulesOf } from '../client-rule.ts'
import { playHistories } from '../histories.ts'

/** Rules about random histories. */
export const historyRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-HISTORY-01',
    title: 'MUST converge in random histories of two replicas, through faults and kills, and lose or repeat nothing',
    requirements: ['D-4.3-8', 'D-4.3-9', 'D-4.3-12', 'D-4.3-7'],
    maxMs: 600_000,
    check: async (lab) => playHistories(lab, lab.histories, false),
  },
  {
    id: 'CLIENT-HISTORY-02',
    title: 'MUST converge in random histories of a replica and another client, through faults and kills',
    requirements: ['D-4.3-8', 'D-4.3-9', 'D-4.3-12', 'D-4.3-7'],
    maxMs: 600_000,
    check: async (lab) => playHistories(lab, lab.histories, true),
  },
])
