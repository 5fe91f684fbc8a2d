import { expect, test } from 'vitest'
import { createRandom } from '../src/lab.ts'
import { legalDifferences } from '../src/model/legal-differences.ts'
import type { RunReport } from '../src/result.ts'
import { allRules } from '../src/rules/all-rules.ts'
import { allFaults, coreFamilies, coreFaults, fullFamilies } from './all-faults.ts'
import { checkServer, describeProblems, killersOf, rulesOf, scoreFaults } from './check-server.ts'
import { checkTrivialServer, trivialServers } from './trivial-servers.ts'

const minute = 60_000

/** The seed of the samples. `npm run test:selftest` runs everything. */
const seed = process.env.SELFTEST_SEED ?? '1'

/** Selects some of the items, the same ones for the same seed. */
function sample<Item extends { readonly id: string }>(items: readonly Item[], count: number): readonly Item[] {
  const random = createRandom(`sample ${seed} of ${items.map(({ id }) => id).join(' ')}`)
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item)
}

/** Rules of expired tokens: the tokens of the right server expire only after an hour. */
const tooLongToWaitFor = ['EXPIRE', 'LIFE'].flatMap((topic) =>
  [1, 2, 3, 4].map((number) => `TOKEN-${topic}-0${number}`),
)

const notPassed = ({ results }: RunReport): string[] =>
  results.filter(({ status }) => status !== 'passed').map(({ id }) => id)

/** Without histories, whose shrinking takes seconds, and which have their own self-test. */
const quickRules = allRules.filter(({ id }) => !id.startsWith('HISTORY-'))

test(
  'the right server passes every rule of full',
  async () => {
    const report = await checkServer({}, { rules: rulesOf(allRules, 'full'), profile: 'full' })

    expect(notPassed(report)).toEqual(tooLongToWaitFor)
    expect(report.exitCode).toBe(0)
  },
  5 * minute,
)

test('rules name existing faults, ids of faults are unique, and core has at least 600 faults', () => {
  const ids = allFaults.map(({ id }) => id)

  expect(ids).toEqual([...new Set(ids)])
  expect(allRules.flatMap(({ faults }) => faults).filter((fault) => !ids.includes(fault))).toEqual([])
  expect(coreFaults.length).toBeGreaterThanOrEqual(600)
})

/** Every eighth family, starting at one of the first eight. */
const firstFamily = Math.floor(createRandom(`families ${seed}`)() * 8)
const someFamilies = [...coreFamilies, ...fullFamilies].filter((_, index) => index % 8 === firstFamily)

test.each(someFamilies)(
  'every rule that names a wrong server of the family $name finds it, for one of a sample',
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
    const options = { behavior: legal.behavior(), ...(prepare === undefined ? {} : { prepare }) }
    const report = await checkServer(options, { rules: rulesOf(allRules, profile), profile })

    expect(describeProblems(report)).toEqual([])
  },
  5 * minute,
)

test.each(sample(trivialServers, 1))(
  'the trivial server $id passes no MUST of core, one of a sample',
  async (trivial) => {
    const report = await checkTrivialServer(trivial)

    expect(report.results.filter(({ status }) => status === 'passed' || status === 'error')).toEqual([])
    expect(report.exitCode).not.toBe(0)
  },
  5 * minute,
)
