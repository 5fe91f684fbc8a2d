/**
 * Attacks the built server with a seeded mix of changed requests to its API and its pages, as users whose tokens and
 * cookies live. `npm run attack -- --requests 200000 --seed 7`; `--only 1234` sends one request of a seed again,
 * `--only 1200-1234` some. Exits 1 when something happened that must never happen.
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

/** How much more memory the server may hold when garbage was collected; caches that have a limit fill within it. */
const maxKeptMb = 60
/** Code that was compiled and caches that were filled at first use are no leak. */
const warmUpRequests = 2_000
const restSeconds = 10

const { values, readNumber } = readOptions(options, usage)
const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 0
const requestCount = readNumber('requests', (number) => isCount(number) && number > 0, 'a number of requests')
const seed = readNumber('seed', isCount, 'a whole number')
const [onlyFirst, onlyLast] = (values.only ?? '').split('-').map(Number)
const isWhole = values.only === undefined
if (!isWhole && ![onlyFirst, onlyLast ?? onlyFirst].every((number) => isCount(number ?? Number.NaN))) {
  process.stderr.write(`--only ${values.only} is no number, and no two with a - between\n${usage}\n`)
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
  console.log(
    `with a credential that lived: ${share.toFixed(1)} %; ${result.renewals} tokens and sessions were replaced`,
  )
  console.log(`webhooks and push messages delivered: ${result.delivered}`)
}

/** Until the last paged download of the attack has expired, the server keeps the versions that it began with. */
const maxRests = (pagedDownloadSeconds + 90) / restSeconds
/**
 * Memory when it is within the limit, or when nothing is held for downloads any more: V8 gives empty pages back when a
 * process rests, and what was deleted goes with the next write.
 */
const measureAtRest = async (): Promise<Memory> => {
  let memory = await server.measure()
  for (let waits = 0; waits < maxRests && memory.residentMb - before.residentMb > maxKeptMb; waits += 1) {
    await sleep(restSeconds * 1000)
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
  const after = await measureAtRest()
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
  if (number !== undefined) console.error(`  again: npm run attack -- --seed ${seed} --only ${number}`)
}
console.log(violations.length === 0 ? 'nothing happened that must not' : `${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1
