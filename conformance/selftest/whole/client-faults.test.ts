import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allClientRules } from '../../src/client-suite/all-client-rules.ts'
import { runClientRules } from '../../src/client-suite/run-client-rules.ts'
import type { RuleResult } from '../../src/result.ts'
import { clientFaults } from '../clients/client-faults.ts'

const rightClient = fileURLToPath(new URL('../clients/right-client.mjs', import.meta.url))
const listing = fileURLToPath(new URL('../clients/listing.mjs', import.meta.url))

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-faults-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function check(file: string, ids: readonly string[]): Promise<readonly RuleResult[]> {
  const rules = allClientRules.filter(({ id }) => ids.includes(id))
  const { results } = await runClientRules({
    ...{
      command: [process.execPath, file],
      profiles: ['api', 'replica'],
      rules,
      seed: 1,
      histories: 1,
      repeat: () => '',
    },
  })
  return results
}

test.each(clientFaults)('$rule finds the faulty client $id', async ({ id, rule, from, to }) => {
  const source = await readFile(rightClient, 'utf8')
  expect(source.split(from)).toHaveLength(2)
  const file = join(folder, `${id}.mjs`)
  const text = source.replace(from, () => to).replace("'./listing.mjs'", JSON.stringify(listing))
  await writeFile(file, text)

  const results = await check(file, [rule])

  expect(results.map(({ status }) => status)).toEqual(['failed'])
})

test('the right client passes every rule that a fault names', async () => {
  const results = await check(rightClient, [...new Set(clientFaults.map(({ rule }) => rule))])

  expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
})
