import type { Rule } from '../rule.ts'
import { judgeHistories } from './judge-histories.ts'
import { deletionMix, everydayMix, type Mix, pagesMix, togetherMix } from './mix.ts'

/** A history rule and its share of the histories that a run asks for. */
const historyRule = (mix: Mix, share: number, rule: Omit<Rule, 'check' | 'section' | 'clauses' | 'alone'>): Rule => ({
  ...rule,
  // Writes of other rules would take part in a history: shrunk, it would go wrong only together with them.
  alone: true,
  section: '4.3',
  clauses: [],
  check: (lab) => judgeHistories(lab, rule.id, mix, Math.ceil(lab.options.histories * share)),
})

/**
 * Random histories of several replicas, judged by what a server that keeps the rules of interface 4.3 could have answered.
 * The four rules of the profile core share the number of histories that the run asks for.
 */
export const historyRules: readonly Rule[] = [
  historyRule(everydayMix, 0.2, {
    id: 'HISTORY-CONVERGE-01',
    title: 'MUST bring all replicas to the same things, whatever they do one after the other',
    level: 'must',
    basis: 'derived',
    profile: 'core',
    faults: ['delta-consumed-by-first-reader', 'pos-second-granularity'],
  }),
  historyRule(togetherMix, 0.25, {
    id: 'HISTORY-POSITION-01',
    title: 'MUST NOT put a change at or below a position already given, also when requests are in flight together',
    level: 'must',
    basis: 'derived',
    profile: 'core',
    faults: [
      'pos-before-slow-commit',
      'pos-read-after-slow-listing',
      'lost-update-under-concurrency',
      'half-batch-lost',
    ],
  }),
  historyRule(deletionMix, 0.25, {
    id: 'HISTORY-DELETION-01',
    title: 'MUST tell every replica of every deletion, and never bring a deleted thing back that nobody changed',
    level: 'must',
    basis: 'derived',
    profile: 'core',
    faults: ['tombstone-forgotten-after-next-write'],
  }),
  historyRule(pagesMix('first'), 0.3, {
    id: 'HISTORY-PAGES-01',
    title: 'SHOULD show a client that pages, while others write, everything from its first position on',
    level: 'should',
    basis: 'derived',
    profile: 'core',
    faults: ['page-skips-under-writes'],
  }),
  historyRule(pagesMix('either'), 0.3, {
    id: 'HISTORY-PAGES-02',
    title: 'MUST let a client that pages while others write keep the position of its first or its last page',
    level: 'must',
    basis: 'decided',
    profile: 'full',
    faults: ['page-skips-under-writes', 'page-pos-moves'],
  }),
]
