import { findCauses } from '../report/causes.ts'
import type { Rule } from '../rule.ts'
import { runRules } from '../runner.ts'
import type { Target } from '../target.ts'
import type { Note } from './doctor-note.ts'

/** One rule of each thing that a client does first; a server that keeps these is worth a run of all. */
export const firstRuleIds: readonly string[] = [
  ...[
    'TOKEN-GRANT-01',
    'TOKEN-REFRESH-01',
    'SYNC-FULL-01',
    'SYNC-NEW-01',
    'SYNC-DELTA-01',
    'SYNC-DELTA-02',
    'SYNC-DELTA-04',
  ],
  ...[
    'SYNC-DELETE-01',
    'THING-CHANGE-TITLE-01',
    'TAG-FAVORITE-01',
    'SYNC-PAGE-01',
    'SYNC-COUNT-01',
    'TOKEN-AUTH-QUERY-02',
  ],
]

/** Plays the first things that clients do, and removes them again: 0 when all went well, 1 when not. */
export async function tryFirstRules(
  target: Target,
  rules: readonly Rule[],
  tell: (note: Note) => void,
  signal: AbortSignal,
): Promise<0 | 1> {
  const first = rules.filter(({ id }) => firstRuleIds.includes(id))
  if (first.length === 0) return 0
  const { results } = await runRules({ target, rules: first, profile: 'core', seed: 1, signal })
  const wrong = results.filter(({ status }) => status !== 'passed' && status !== 'inapplicable')
  const { causes, rest } = findCauses(wrong)
  for (const { sentence, extent } of causes) tell({ kind: 'problem', text: `${sentence}; ${extent}: mend this first` })
  for (const { id, title, expected, actual, message = '' } of rest) {
    const why = expected === undefined ? message : `expected ${expected}, but ${actual}`
    tell({ kind: 'problem', text: `${id} ${title}: ${why.slice(0, 200)}` })
  }
  const kept = results.length - wrong.length
  if (wrong.length === 0)
    tell({ kind: 'good', text: `the first things that clients do work: ${kept} of ${kept} rules kept` })
  return wrong.length === 0 ? 0 : 1
}
