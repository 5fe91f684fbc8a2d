import { expect, test } from 'vitest'
import { allRules } from '../src/rules/all-rules.ts'
import { allFaults, coreFaults } from './all-faults.ts'
import { describeTrouble, judge, judgeOpen, rulesOf } from './judge.ts'
import { legalDifferences } from './legal-differences.ts'
import { describeScores, type FaultScore, killersOf, scoreFaults } from './score.ts'
import { openTrivialServer, trivialServers } from './trivial-servers.ts'

const minute = 60_000
const matrix = process.env.SELFTEST_MATRIX === '1'

test(
  "the right server keeps every rule of core, in less than ten seconds of the processor's time",
  async () => {
    const before = process.cpuUsage()
    const report = await judge({}, { rules: rulesOf(allRules, 'core'), profile: 'core' })
    const { user, system } = process.cpuUsage(before)

    expect(report.results.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(report.exitCode).toBe(0)
    // Both sides run in this process; the clock on the wall would judge the other programs of the machine too.
    expect(user + system).toBeLessThan(10_000_000)
  },
  minute,
)

test(
  'the right server keeps every rule of full',
  async () => {
    const report = await judge({}, { rules: rulesOf(allRules, 'full'), profile: 'full' })

    expect(report.results.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(report.exitCode).toBe(0)
  },
  minute,
)

test('rules name faults that exist, each fault has an id of its own, and there are at least 80 against the interface', () => {
  const ids = allFaults.map(({ id }) => id)

  expect(ids).toEqual([...new Set(ids)])
  expect(allRules.flatMap(({ faults }) => faults).filter((fault) => !ids.includes(fault))).toEqual([])
  expect(coreFaults.length).toBeGreaterThanOrEqual(80)
})

test(
  'each wrong server is found out by a MUST that names it, and each rule by failing on what it names',
  async () => {
    let count = 0
    const onScore = ({ fault, ms }: FaultScore): void => {
      count += 1
      if (count % 25 === 0) console.log(`${count} of ${allFaults.length} faults, last ${fault.id} in ${ms} ms`)
    }
    const scores = await scoreFaults({ faults: allFaults, rules: allRules, matrix, onScore })
    const finders = new Set(scores.flatMap(({ foundBy }) => foundBy.map(({ id }) => id)))
    const missed = scores.flatMap(({ fault, missedBy }) =>
      missedBy.map(({ rule, status, message }) => `${rule.id} does not fail on ${fault.id}: ${status} ${message}`),
    )
    console.log(describeScores(scores))

    expect(scores.filter((score) => killersOf(score).length === 0).map(({ fault }) => fault.id)).toEqual([])
    expect(allRules.filter(({ id }) => !finders.has(id)).map(({ id }) => id)).toEqual([])
    expect(missed).toEqual([])
  },
  20 * minute,
)

test('there are at least 25 legal differences', () => {
  const ids = legalDifferences.map(({ id }) => id)

  expect(ids).toEqual([...new Set(ids)])
  expect(ids.length).toBeGreaterThanOrEqual(25)
})

test.each(legalDifferences)(
  'no MUST is held against a server that $title',
  async (legal) => {
    const { profile, prepare } = legal
    const options = { behaviour: legal.behaviour(), ...(prepare === undefined ? {} : { prepare }) }
    const report = await judge(options, { rules: rulesOf(allRules, profile), profile })

    expect(describeTrouble(report)).toEqual([])
  },
  minute,
)

test.each(trivialServers)(
  'the trivial server $id passes no MUST of core',
  async (trivial) => {
    const { baseUrl, close } = await openTrivialServer(trivial)
    const users = [
      { username: 'alice', password: 'secret1' },
      { username: 'bob', password: 'secret2' },
    ]
    const server = { baseUrl, users, clientId: 'client', clientSecret: 'secret3' }
    const rules = rulesOf(allRules, 'core').filter(({ level }) => level === 'must')
    try {
      const report = await judgeOpen(server, { rules, profile: 'core' })

      expect(report.results.filter(({ status }) => status === 'passed' || status === 'error')).toEqual([])
      expect(report.exitCode).not.toBe(0)
    } finally {
      await close()
    }
  },
  minute,
)
