import type { Goal } from '../row.ts'
import type { Spread } from './median.ts'

/** How a figure stands to the committed one. */
export type Comparison = 'better' | 'worse' | 'same'

/**
 * Compares two measurements of a figure. On machines as noisy as ours only rounds that do not overlap are told apart;
 * without a goal more is neither better nor worse, so such figures are never told apart.
 */
export const compareSpreads = (before: Spread, now: Spread, goal: Goal | undefined): Comparison => {
  if (goal === undefined || (now.min <= before.max && now.max >= before.min)) return 'same'
  return now.min > before.max === (goal.is === 'least') ? 'better' : 'worse'
}
