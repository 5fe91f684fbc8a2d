import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { AdapterBroken } from '../../src/client-suite/adapter.ts'
import { allClientRules } from '../../src/client-suite/all-client-rules.ts'
import type { ClientRule } from '../../src/client-suite/client-rule.ts'
import { runClientRules } from '../../src/client-suite/run-client-rules.ts'
import type { ClientProfile, Level, RuleResult } from '../../src/result.ts'
import { isAlarm, kills, type LegalDifference } from '../score-set.ts'

const minute = 60_000
const folder = new URL('../clients/python/', import.meta.url)
const command = ['python3', fileURLToPath(new URL('adapter.py', folder))]
const readCatalog = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

/** A fault of the client in Python. */
interface ClientFault {
  readonly id: string
  readonly profile: ClientProfile
  readonly level: 'MUST' | 'SHOULD'
  readonly what: string
}

const faults = readCatalog<readonly ClientFault[]>('faults.json')
const habits = readCatalog<readonly (LegalDifference & { readonly what: string })[]>('habits.json')
/** The rule that finds each fault. `score-clients.ts --found-by` writes it. */
const foundBy = readCatalog<Readonly<Record<string, string>>>('found-by.json')

/** One of six shares (0 to 5), as for the legal servers; without it the test checks everything. */
const share = process.env.SELFTEST_LEGAL_SHARE === undefined ? undefined : Number(process.env.SELFTEST_LEGAL_SHARE)
const isInShare = (number: number, shares: number): boolean => share === undefined || number % shares === share

const hasPython = spawnSync('python3', ['--version']).status === 0
const testWithPython = test.skipIf(!hasPython && process.env.CI !== 'true')

const run = (words: readonly string[], profile: ClientProfile, rules: readonly ClientRule[]) => {
  const results: RuleResult[] = []
  return runClientRules({
    command: [...command, ...words],
    profiles: [profile],
    rules,
    ...{ seed: 1, histories: 10, jobs: 1 },
    repeat: ({ id }) => `client --rule ${id} --seed 1 -- ${[...command, ...words].join(' ')}`,
    onResult: (result) => results.push(result),
  }).then(() => results)
}

testWithPython('a rule finds each fault of the client in Python', () => {
  console.log(`${Object.keys(foundBy).length} of ${faults.length} faulty clients are found`)

  expect(faults.filter(({ id }) => foundBy[id] === undefined).map(({ id }) => id)).toEqual([])
})

testWithPython.concurrent.each(faults.filter((_, index) => isInShare(index, 6)))(
  'the suite finds a client that has the fault $id: $what',
  async ({ id, profile, level }) => {
    const rules = allClientRules.filter((rule) => rule.id === foundBy[id])
    const results = await run(['--fault', id], profile, rules).catch((error: unknown) => {
      if (error instanceof AdapterBroken) return [{ status: 'failed', level: 'must' } as const]
      throw error
    })
    const faultLevel = level.toLowerCase() as Level

    expect(results.filter((result) => kills(faultLevel, result))).not.toEqual([])
  },
  5 * minute,
)

/** Every pair of a habit and a quick rule; a share has every twentieth pair. */
const quickRules = allClientRules.filter(({ maxMs }) => maxMs <= 3 * minute)
const legalPairs = habits.flatMap(({ id, what, departsFrom = [] }, habit) =>
  (['api', 'replica'] as const).map((profile) => ({
    ...{ id, what, departsFrom, profile },
    rules: quickRules.filter((rule, index) => rule.profile === profile && isInShare(habit + index, 20)),
  })),
)

testWithPython.concurrent.each(legalPairs)(
  'no rule of $profile is held against a client with the habit $id: $what',
  async ({ id, departsFrom, profile, rules }) => {
    const results = await run(['--habit', id], profile, rules)
    const alarms = results.filter((result) => isAlarm(result) && !departsFrom.includes(result.id))

    expect(alarms.map(({ id: rule, message }) => `${rule}: ${message}`)).toEqual([])
  },
  20 * minute,
)
