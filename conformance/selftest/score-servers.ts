/**
 * `npx tsx conformance/selftest/score-servers.ts --faults FILE --legal FILE --results FILE -- COMMAND…`: scores the
 * suite of servers against a set of faulty servers. COMMAND starts the right server; `--port`, `--data FILE`, and
 * `--fault ID` or `--legal ID` are added to it. It prints one line of JSON with `base_url` when it is ready, and ends
 * on SIGTERM. A run against a fault ends at the first rule that kills it. Options: `--kind` (right, legal, fault),
 * `--profile` (core, full; default: core), `--only ID`, `--jobs N`, `--max-seconds N`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Profile, RuleResult } from '../src/result.ts'
import { allRules } from '../src/rules/all-rules.ts'
import { checkOpenServer, rulesOf } from './check-server.ts'
import {
  describeScore,
  findUnreliableRules,
  isAlarm,
  kills,
  openResultsFile,
  type ProgramScore,
  readFaults,
  readLegal,
  readScoreSettings,
  type SetFault,
  scoreTasks,
  type Task,
  toScoredRule,
} from './score-set.ts'

const settings = readScoreSettings(process.argv.slice(2))
const { command, kinds, only, maxMs } = settings
const file = await openResultsFile(settings.results)
const profile: Profile = settings.profiles.includes('full') ? 'full' : 'core'
const isWanted = ({ id }: { readonly id: string }): boolean => only.length === 0 || only.includes(id)

/** The registered apps and users of every server of a set. */
const registered = {
  clientId: 'dev',
  clientSecret: 's3cret',
  otherClient: { clientId: 'other', clientSecret: 'other-secret' },
  users: [
    { username: 'alice', password: 'wonderland' },
    { username: 'bob', password: 'builder' },
  ],
} as const

/** A running server of the set. */
interface SetServer {
  readonly baseUrl: string
  /** Ends the process with SIGTERM, and starts it again on the same port and data. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

async function start(words: readonly string[]): Promise<{ child: ChildProcess; baseUrl: string }> {
  const [program = '', ...rest] = words
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child, 'spawn')
  for await (const line of createInterface({ input: child.stdout })) {
    const { base_url: baseUrl } = JSON.parse(line) as { readonly base_url: string }
    child.stdout.resume()
    return { child, baseUrl }
  }
  throw new Error(`${words.join(' ')} ended before it was ready`)
}

/** Ends a process; one that does not end within 10 s is killed. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exit
  clearTimeout(timer)
}

async function openSetServer(words: readonly string[]): Promise<SetServer> {
  const folder = await mkdtemp(join(tmpdir(), 'score-servers-'))
  const given = [...words, '--data', join(folder, 'data')]
  let { child, baseUrl } = await start([...given, '--port', '0'])
  return {
    baseUrl,
    restart: async () => {
      await end(child)
      ;({ child } = await start([...given, '--port', new URL(baseUrl).port]))
    },
    close: async () => {
      await end(child)
      await rm(folder, { recursive: true })
    },
  }
}

/** Runs rules against a server of the set until a result ends the run. */
async function runRules(
  words: readonly string[],
  rules: typeof allRules,
  ends: (result: RuleResult) => boolean,
): Promise<{ readonly results: readonly RuleResult[]; readonly isLate: boolean }> {
  const results: RuleResult[] = []
  let isLate = false
  const stop = new AbortController()
  const timer = setTimeout(() => {
    isLate = true
    stop.abort()
  }, maxMs)
  const server = await openSetServer([...command, ...words])
  try {
    await checkOpenServer(
      { ...registered, ...server },
      {
        rules,
        profile,
        signal: stop.signal,
        interruptedMs: 100,
        onResult: (result) => {
          // The rules that the end of the run interrupts say nothing about the server.
          if (stop.signal.aborted) return
          results.push(result)
          if (ends(result)) stop.abort()
        },
      },
    )
  } finally {
    clearTimeout(timer)
    await server.close()
  }
  return { results, isLate }
}

/** Scores the right server or a legal difference: every rule runs. */
async function scoreLegal(kind: 'right' | 'legal', id: string): Promise<ProgramScore> {
  const started = performance.now()
  const words = kind === 'right' ? [] : ['--legal', id]
  const { results, isLate } = await runRules(words, rulesOf(allRules, profile), () => false)
  const rules = results.filter((result) => result.level === 'must' && isAlarm(result)).map(toScoredRule)
  const status = rules.length > 0 ? 'alarm' : isLate ? 'late' : 'passed'
  return { kind, id, profile, status, rules, ms: Math.round(performance.now() - started) }
}

async function scoreFault({ id, class: name, level }: SetFault): Promise<ProgramScore> {
  const started = performance.now()
  const unreliable = findUnreliableRules(file, profile)
  const rules = rulesOf(allRules, profile).filter((rule) => !unreliable.has(rule.id))
  const { results, isLate } = await runRules(['--fault', id], rules, (result) => kills(level, result))
  const isKilled = results.some((result) => kills(level, result))
  const shown = results.filter(({ status }) => status !== 'passed' && status !== 'skipped')
  return {
    ...{ kind: 'fault', id, profile, class: name, level },
    status: isKilled ? 'killed' : isLate ? 'late' : 'missed',
    rules: shown.map(toScoredRule),
    ms: Math.round(performance.now() - started),
  }
}

const legalTask = (kind: 'right' | 'legal', id: string): Task => ({
  ...{ kind, id, profile },
  score: () => scoreLegal(kind, id),
})
const legal = settings.legal === undefined ? [] : (await readLegal(settings.legal)).filter(isWanted)
const faults = settings.faults === undefined ? [] : (await readFaults(settings.faults)).filter(isWanted)

if (kinds.includes('right')) await scoreTasks([legalTask('right', 'right')], file, 1)
if (kinds.includes('legal')) {
  // A difference that only the core permits violates extensions of the profile full.
  const permitted = legal.filter((entry) => profile === 'core' || entry.profile !== 'core')
  const tasks = permitted.map(({ id }) => legalTask('legal', id))
  await scoreTasks(tasks, file, settings.jobs)
}
if (kinds.includes('fault')) {
  const tasks = faults
    .filter((fault) => profile === 'full' || fault.profile === 'core')
    .map((fault): Task => ({ kind: 'fault', id: fault.id, profile, score: () => scoreFault(fault) }))
  await scoreTasks(tasks, file, settings.jobs)
}
console.log(describeScore(file.scores()))
