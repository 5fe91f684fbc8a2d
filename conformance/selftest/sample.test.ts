import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import type { RunReport } from '../src/result.ts'
import { allRules } from '../src/rules/all-rules.ts'
import { allFaults, coreFamilies, coreFaults, fullFamilies } from './all-faults.ts'
import { describeTrouble, judge, rulesOf } from './judge.ts'
import { legalDifferences } from './legal-differences.ts'
import { killersOf, scoreFaults } from './score.ts'
import { judgeTrivial, trivialServers } from './trivial-servers.ts'

const minute = 60_000

/** Which sample is taken; the whole is `npm run test:selftest`. */
const seed = process.env.SELFTEST_SEED ?? '1'

/** Some of the items, the same ones for the same seed. */
function sample<Item extends { readonly id: string }>(items: readonly Item[], count: number): readonly Item[] {
  const random = createRandom(`sample ${seed} of ${items.map(({ id }) => id).join(' ')}`)
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item)
}

/** Rules of tokens that expire: nobody waits an hour for those of the right server. */
const tooLongToWaitFor = ['TOKEN-EXPIRE-01', 'TOKEN-EXPIRE-02', 'TOKEN-EXPIRE-03', 'TOKEN-EXPIRE-04']

const notPassed = ({ results }: RunReport): string[] =>
  results.filter(({ status }) => status !== 'passed').map(({ id }) => id)

/** A history that goes wrong is shrunk for seconds; histories have a self-test of their own. */
const quickRules = allRules.filter(({ id }) => !id.startsWith('HISTORY-'))

test(
  'the right server keeps every rule of full',
  async () => {
    const report = await judge({}, { rules: rulesOf(allRules, 'full'), profile: 'full' })

    expect(notPassed(report)).toEqual(tooLongToWaitFor)
    expect(report.exitCode).toBe(0)
  },
  5 * minute,
)

test('rules name faults that exist, each fault has an id of its own, and there are at least 600 against the interface', () => {
  const ids = allFaults.map(({ id }) => id)

  expect(ids).toEqual([...new Set(ids)])
  expect(allRules.flatMap(({ faults }) => faults).filter((fault) => !ids.includes(fault))).toEqual([])
  expect(coreFaults.length).toBeGreaterThanOrEqual(600)
})

/** Every eighth family, beginning with one of the first eight. */
const firstFamily = Math.floor(createRandom(`families ${seed}`)() * 8)
const someFamilies = [...coreFamilies, ...fullFamilies].filter((_, index) => index % 8 === firstFamily)

test.each(someFamilies)(
  'one of the wrong servers of the family $name is found out by every rule that names it',
  async ({ faults }) => {
    const named = faults.filter(({ id }) => quickRules.some((rule) => rule.faults.includes(id)))
    const scores = await scoreFaults({ faults: sample(named, 1), rules: quickRules })

    const missed = scores.flatMap(({ fault, missedBy }) => missedBy.map(({ rule }) => `${rule.id} on ${fault.id}`))
    expect(missed, `seed ${seed}`).toEqual([])
    expect(scores.filter((score) => killersOf(score).length === 0).map(({ fault }) => fault.id)).toEqual([])
  },
  5 * minute,
)

test('there are at least 100 legal differences', () => {
  const ids = legalDifferences.map(({ id }) => id)

  expect(ids).toEqual([...new Set(ids)])
  expect(ids.length).toBeGreaterThanOrEqual(100)
})

test.each(sample(legalDifferences, 1))(
  'no MUST is held against a server that $title, one of a sample',
  async (legal) => {
    const { profile, prepare } = legal
    const options = { behaviour: legal.behaviour(), ...(prepare === undefined ? {} : { prepare }) }
    const report = await judge(options, { rules: rulesOf(allRules, profile), profile })

    expect(describeTrouble(report)).toEqual([])
  },
  5 * minute,
)

test.each(sample(trivialServers, 1))(
  'the trivial server $id passes no MUST of core, one of a sample',
  async (trivial) => {
    const report = await judgeTrivial(trivial)

    expect(report.results.filter(({ status }) => status === 'passed' || status === 'error')).toEqual([])
    expect(report.exitCode).not.toBe(0)
  },
  5 * minute,
)
