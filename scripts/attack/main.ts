/**
 * Attacks the built server with a seeded mix of mutated requests to its API and its pages, as users with valid tokens
 * and cookies. `npm run attack -- --requests 200000 --seed 7`; `--only 1234` repeats one request of a seed,
 * `--only 1200-1234` several. Exits 1 after a violation: an event that must never happen.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ParseArgsConfig } from 'node:util'
import { pagedDownloadSeconds } from '../../src/store/store.ts'
import { readOptions } from '../read-options.ts'
import { openAccounts } from './accounts.ts'
import { type Memory, openAttackedServer } from './attacked-server.ts'
import { type AttackResult, runAttack, type TargetCounts } from './run-attack.ts'

const usage = 'npm run attack -- [--requests N] [--seed S] [--only NUMBER or FIRST-LAST]'
const options = {
  requests: { type: 'string', default: '20000' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
} as const satisfies ParseArgsConfig['options']

/** Maximum growth of memory after garbage collection, in MB. Caches with a limit grow within it. */
const maxKeptMb = 60
/** Requests before the measurement, because compiled code and filled caches are not leaks. */
const warmUpRequests = 2_000
const waitSeconds = 10

const { values, readNumber } = readOptions(options, usage)
const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 0
const requestCount = readNumber('requests', (number) => isCount(number) && number > 0, 'a number of requests')
const seed = readNumber('seed', isCount, 'a whole number')
const [onlyFirst, onlyLast] = (values.only ?? '').split('-').map(Number)
const isWhole = values.only === undefined
if (!isWhole && ![onlyFirst, onlyLast ?? onlyFirst].every((number) => isCount(number ?? Number.NaN))) {
  process.stderr.write(`--only ${values.only} is neither a number nor a range\n${usage}\n`)
  process.exit(2)
}
const first = isWhole ? 0 : (onlyFirst ?? 0)
const end = isWhole ? requestCount : (onlyLast ?? onlyFirst ?? 0) + 1

const show = (value: number): string => String(Math.round(value))
const sortedCounts = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join('  ')

const printTargets = (targets: ReadonlyMap<string, TargetCounts>): void => {
  console.log('\noperation or page                       sent  2xx/3xx  statuses')
  for (const [name, { sent, reached, statuses }] of [...targets].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(
      `${name.padEnd(38)} ${String(sent).padStart(6)}  ${String(reached).padStart(7)}  ${sortedCounts(statuses)}`,
    )
}

const print = (result: AttackResult): void => {
  printTargets(result.targets)
  console.log('\nslowest, in ms')
  for (const { milliseconds, number, what } of result.slowest)
    console.log(`${show(milliseconds).padStart(6)}  request ${number}: ${what}`)
  const share = (100 * result.credentialed) / Math.max(1, result.sent)
  const perSecond = show(result.sent / result.seconds)
  console.log(`\n${result.sent} requests in ${show(result.seconds)} s (${perSecond} a second), seed ${seed}`)
  console.log(`responses: ${sortedCounts(result.classes)}`)
  console.log(`with a valid credential: ${share.toFixed(1)} %; ${result.renewals} tokens and sessions were replaced`)
  console.log(`webhooks and push messages delivered: ${result.delivered}`)
}

/** Until the last paged download of the attack expires, the server keeps the versions of its start. */
const maxWaits = (pagedDownloadSeconds + 90) / waitSeconds
/**
 * Measures the memory until it is within the limit, or until the last download has expired: an idle V8 returns empty
 * pages to the system, and the next write drops deleted things.
 */
const measureIdleMemory = async (): Promise<Memory> => {
  let memory = await server.measure()
  for (let waits = 0; waits < maxWaits && memory.residentMb - before.residentMb > maxKeptMb; waits += 1) {
    await sleep(waitSeconds * 1000)
    await accounts.clear()
    memory = await server.measure()
  }
  return memory
}

const server = await openAttackedServer()
const accounts = await openAccounts(server)
const violations: { number?: number; what: string }[] = []
if (isWhole) {
  await runAttack(server, accounts, { seed: seed + 1_000_003, first: 0, end: warmUpRequests })
  await accounts.clear()
}
const before = await server.measure()
const result = await runAttack(server, accounts, {
  seed,
  first,
  end,
  onProgress: (sent) => {
    if (sent > 0 && sent % 10_000 === 0) process.stderr.write(`${sent} of ${end - first} requests\n`)
  },
})
violations.push(...result.violations)
print(result)
if (server.findExit() === undefined) {
  if (isWhole) await accounts.clear()
  const peakMb = await server.readPeakMb()
  const busy = await server.measure()
  const after = await measureIdleMemory()
  const keptMb = after.residentMb - before.residentMb
  console.log(`longest delay of the event loop: ${show(busy.maxDelayMs)} ms`)
  console.log(
    `resident memory: ${show(before.residentMb)} MB before, ${show(peakMb)} MB at its peak, ${show(after.residentMb)} MB after garbage collection; heap in use: ${show(before.heapMb)} and ${show(after.heapMb)} MB`,
  )
  if (isWhole && keptMb > maxKeptMb)
    violations.push({ what: `the server keeps ${show(keptMb)} MB more than before, above ${maxKeptMb}` })
}
accounts.close()
await server.stop().catch((error: Error) => violations.push({ what: error.message }))
const isMixed = violations.some(({ what }) => /stored/.test(what))
console.log(`mixed users: ${isMixed ? 'YES' : 'none'}; exit of the server: ${server.findExit() ?? 'still running'}`)
for (const { number, what } of violations) {
  console.error(`VIOLATION: ${what}`)
  if (number !== undefined) console.error(`  to repeat: npm run attack -- --seed ${seed} --only ${number}`)
}
console.log(violations.length === 0 ? 'no violations' : `${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1
