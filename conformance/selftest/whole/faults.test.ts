import { expect, test } from 'vitest'
import { openRightServer } from '../../src/model/right-server.ts'
import { allRules } from '../../src/rules/all-rules.ts'
import { allFaults, coreFaults, waitingFaults } from '../all-faults.ts'
import { checkOpenServer, describeScores, type FaultScore, killersOf, rulesOf, scoreFaults } from '../check-server.ts'
import { checkTrivialServer, trivialServers } from '../trivial-servers.ts'

const minute = 60_000
const matrix = process.env.SELFTEST_MATRIX === '1'

test(
  'a MUST that names it finds each wrong server, and each rule fails on the faults that it names',
  async () => {
    let count = 0
    const onScore = ({ fault, ms }: FaultScore): void => {
      count += 1
      if (count % 25 === 0) console.log(`${count} of ${allFaults.length} faults, last ${fault.id} in ${ms} ms`)
    }
    const others = allFaults.filter((fault) => !waitingFaults.includes(fault))
    const scoring = { rules: allRules, matrix, onScore }
    const scores = [
      ...(await scoreFaults({ ...scoring, faults: others })),
      ...(await scoreFaults({ ...scoring, faults: waitingFaults, jobs: 4 })),
    ]
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

test.each(trivialServers)(
  'the trivial server $id passes no MUST of core',
  async (trivial) => {
    const report = await checkTrivialServer(trivial)

    expect(report.results.filter(({ status }) => status === 'passed' || status === 'error')).toEqual([])
    expect(report.exitCode).not.toBe(0)
  },
  3 * minute,
)

test(
  'each failure has expectation, result and a way to repeat it, and contains no secret',
  async () => {
    const sample = coreFaults.filter((_, index) => index % 5 === 0)
    for (const { id, behavior } of sample) {
      const rules = rulesOf(allRules, 'core').filter(({ faults }) => faults.includes(id))
      const server = await openRightServer({ behavior })
      try {
        const report = await checkOpenServer(server, { rules, profile: 'core' })
        const text = JSON.stringify(report)
        const passwords = server.users.flatMap(({ password }) => [
          password,
          encodeURIComponent(password),
          toForm(password),
        ])
        const secrets = [
          ...passwords,
          server.clientSecret,
          encodeURIComponent(server.clientSecret),
          toForm(server.clientSecret),
        ]

        for (const { status, expected, actual, message, curl = '', exchanges = [] } of report.results) {
          if (status !== 'failed') continue
          expect([expected, actual, message], id).toEqual([expect.any(String), expect.any(String), expect.any(String)])
          expect(curl, id).toMatch(/\bcurl /)
          expect(exchanges.length, id).toBeGreaterThan(0)
        }
        expect(
          secrets.filter((secret) => text.includes(secret)),
          id,
        ).toEqual([])
      } finally {
        await server.close()
      }
    }
  },
  3 * minute,
)

function toForm(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2)
}
