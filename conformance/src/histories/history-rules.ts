/*
 * Random histories: plays random requests of several replicas and searches the responses for an anomaly. `plan.ts`
 * creates a history, `play-plan.ts` plays it, `find-anomaly.ts` checks the trace, `shrink-plan.ts` makes a failed
 * history small, and `failure-script.ts` writes a shell script that repeats it. The folder must not know other rules
 * or reports. Start reading at `checkHistories`.
 */
import { createRandom, type Lab } from '../lab.ts'
import { Finding, Skipped } from '../result.ts'
import type { Rule } from '../rule.ts'
import { describeHistory, writeScript } from './failure-script.ts'
import { createChoices, createPlan, deletionMix, everydayMix, type Mix, pagesMix, togetherMix } from './plan.ts'
import { openLabConnection, playOnce } from './play-plan.ts'
import { confirmations, explainFailure } from './shrink-plan.ts'

/** Share of the remaining time for the histories of one rule; there are four or five such rules. */
const budgetShare = 0.25

/**
 * Plays `count` random histories of the mix, the same for the same seed and name.
 * @throws Finding with the smallest history that fails and a shell script that repeats it.
 * @throws Skipped when `count` is 0.
 */
const checkHistories = async (lab: Lab, name: string, mix: Mix, count: number): Promise<void> => {
  if (count === 0) throw new Skipped('the run plays no histories')
  const connection = openLabConnection(lab)
  const { seed } = lab.options
  const started = performance.now()
  const maxMs = lab.options.remainingMs() * budgetShare
  for (let index = 0; index < count; index += 1) {
    // A slow server gets fewer histories, but at least one.
    if (index > 0 && ((performance.now() - started) / index) * (index + 1) > maxMs) return
    const choices = createChoices(createRandom(`${seed} ${name} ${index}`))
    const failure = await playOnce(createPlan(mix, choices), connection, lab.unique())
    if (failure === undefined) continue
    const { smallest, again } = await explainFailure(failure, connection, lab.unique, lab.random)
    const { kind, event, expected, actual } = smallest.anomaly
    const repeated = `history ${index + 1} of seed ${seed}; ${again} of ${confirmations} repetitions failed`
    const description = [...describeHistory(smallest.trace), `line ${event.number}: ${kind}`, repeated].join('\n')
    throw new Finding(expected, `${actual}\n${description}`, event.exchange, writeScript(smallest))
  }
}

/** Creates a history rule with its share of the histories that a run plays. */
const historyRule = (
  mix: Mix,
  share: number,
  rule: Omit<Rule, 'check' | 'section' | 'requirements' | 'alone'>,
): Rule => ({
  ...rule,
  // Writes of other rules would become part of a history: after shrinking it would fail only together with them.
  alone: true,
  section: '4.3',
  requirements: [],
  check: (lab) => checkHistories(lab, rule.id, mix, Math.ceil(lab.options.histories * share)),
})

/**
 * Random histories of several replicas, checked against what a correct server could have responded (interface 4.3). The
 * four rules of the profile core share the run's number of histories.
 */
export const historyRules: readonly Rule[] = [
  historyRule(everydayMix, 0.2, {
    id: 'HISTORY-CONVERGE-01',
    title: 'MUST bring all replicas to the same things, whatever they do one after the other',
    level: 'must',
    basis: 'implied',
    profile: 'core',
    faults: ['incremental-consumed-by-first-reader', 'pos-second-granularity'],
  }),
  historyRule(togetherMix, 0.25, {
    id: 'HISTORY-POSITION-01',
    title: 'MUST NOT put a change at or below a position already given, also when requests are in flight together',
    level: 'must',
    basis: 'implied',
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
    title: 'MUST list every deletion for every replica, and never bring a deleted thing back that nobody changed',
    level: 'must',
    basis: 'implied',
    profile: 'core',
    faults: ['tombstone-forgotten-after-next-write'],
  }),
  historyRule(pagesMix('first'), 0.3, {
    id: 'HISTORY-PAGES-01',
    title: 'SHOULD show a client that pages, while others write, everything from its first position on',
    level: 'should',
    basis: 'implied',
    profile: 'core',
    faults: ['page-skips-under-writes'],
  }),
  historyRule(pagesMix('either'), 0.3, {
    id: 'HISTORY-PAGES-02',
    title: 'MUST let a client that pages while others write keep the position of its first or its last page',
    level: 'must',
    basis: 'extension',
    profile: 'full',
    faults: ['page-skips-under-writes', 'page-pos-moves'],
  }),
]
