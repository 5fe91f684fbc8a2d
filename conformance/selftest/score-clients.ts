/**
 * `npx tsx conformance/selftest/score-clients.ts --faults FILE --legal FILE --results FILE -- COMMAND…`: scores the
 * suite of clients against a set of faulty clients. COMMAND starts the adapter of the right client; `--fault ID` and
 * `--habit ID` are added to it. A run against a fault ends at the first rule that kills it. Options: `--kind` (right,
 * legal, fault), `--profile` (api, replica), `--only ID`, `--jobs N`, `--max-seconds N`, and `--quick`: without the
 * rules that need minutes. `--found-by FILE` writes the rule that found each fault.
 */
import { AdapterBroken } from '../src/client-suite/adapter.ts'
import { allClientRules } from '../src/client-suite/all-client-rules.ts'
import type { ClientRule } from '../src/client-suite/client-rule.ts'
import { runClientRules } from '../src/client-suite/run-client-rules.ts'
import type { ClientProfile, RuleResult } from '../src/result.ts'
import {
  describeScore,
  findUnreliableRules,
  isAlarm,
  kills,
  type LegalDifference,
  openResultsFile,
  type ProgramScore,
  readFaults,
  readLegal,
  readScoreSettings,
  type ScoredRule,
  type SetFault,
  scoreTasks,
  type Task,
  toScoredRule,
  writeFoundBy,
} from './score-set.ts'

const settings = readScoreSettings(process.argv.slice(2))
const { command, kinds, only, maxMs } = settings
const file = await openResultsFile(settings.results)
const profiles = (['api', 'replica'] as const).filter(
  (profile) => settings.profiles.length === 0 || settings.profiles.includes(profile),
)
const isWanted = ({ id }: { readonly id: string }): boolean => only.length === 0 || only.includes(id)

/** Maximum time of a rule that belongs to the first batch, in milliseconds: the other rules need much longer. */
const maxQuickMs = 180_000

/** The results of a run, and whether the time limit ended it. */
interface Outcome {
  readonly results: readonly RuleResult[]
  readonly isLate: boolean
}

/** Runs the rules of a profile, the quick ones first, until a result ends the run. */
async function runRules(
  words: readonly string[],
  profile: ClientProfile,
  rules: readonly ClientRule[],
  ends: (result: RuleResult) => boolean,
): Promise<Outcome> {
  const results: RuleResult[] = []
  let isLate = false
  const stop = new AbortController()
  const timer = setTimeout(() => {
    isLate = true
    stop.abort()
  }, maxMs)
  const batches = [
    rules.filter((rule) => rule.maxMs <= maxQuickMs),
    rules.filter((rule) => rule.maxMs > maxQuickMs && !rule.id.startsWith('CLIENT-HISTORY-')),
    rules.filter((rule) => rule.id.startsWith('CLIENT-HISTORY-')),
  ]
  try {
    for (const batch of batches.filter(({ length }) => length > 0)) {
      if (stop.signal.aborted) break
      await runClientRules({
        command: words,
        profiles: [profile],
        rules: batch,
        seed: 1,
        histories: 10,
        jobs: 4,
        signal: stop.signal,
        repeat: ({ id }) => `client --rule ${id} --seed 1 -- ${words.join(' ')}`,
        onResult: (result) => {
          // The rules that the end of the run interrupts say nothing about the client.
          if (stop.signal.aborted) return
          results.push(result)
          if (ends(result)) stop.abort()
        },
      })
    }
  } finally {
    clearTimeout(timer)
  }
  return { results, isLate }
}

const rulesOf = (profile: ClientProfile): readonly ClientRule[] =>
  allClientRules.filter((rule) => rule.profile === profile && !(settings.isQuick && rule.maxMs > maxQuickMs))

/** Scores the right client or a legal habit: every rule runs. */
async function scoreLegal(
  kind: 'right' | 'legal',
  { id, departsFrom = [] }: LegalDifference,
  profile: ClientProfile,
): Promise<ProgramScore> {
  const started = performance.now()
  const words = kind === 'right' ? command : [...command, '--habit', id]
  const { results, isLate } = await runRules(words, profile, rulesOf(profile), () => false)
  const rules = results.filter((result) => isAlarm(result) && !departsFrom.includes(result.id)).map(toScoredRule)
  const ms = Math.round(performance.now() - started)
  const status = rules.length > 0 ? 'alarm' : isLate ? 'late' : 'passed'
  return { kind, id, profile, status, rules, ms }
}

/** Number of faults that each rule killed: the rules that killed most come first. */
const killCounts = new Map<string, number>()
const countKill = ({ id }: { readonly id: string }): void => void killCounts.set(id, (killCounts.get(id) ?? 0) + 1)
for (const { kind, rules } of file.scores()) if (kind === 'fault') for (const rule of rules) countKill(rule)

async function scoreFault({ id, class: name, level }: SetFault, profile: ClientProfile): Promise<ProgramScore> {
  const started = performance.now()
  const unreliable = findUnreliableRules(file, profile)
  const chosen = rulesOf(profile)
    .filter((rule) => !unreliable.has(rule.id))
    .filter((rule) => level === 'should' || rule.level === 'must')
    .sort((a, b) => (killCounts.get(b.id) ?? 0) - (killCounts.get(a.id) ?? 0))
  const end = (status: ProgramScore['status'], rules: readonly ScoredRule[]): ProgramScore => {
    const ms = Math.round(performance.now() - started)
    return { kind: 'fault', id, profile, class: name, level, status, rules, ms }
  }
  try {
    const words = [...command, '--fault', id]
    const { results, isLate } = await runRules(words, profile, chosen, (result) => kills(level, result))
    const killers = results.filter((result) => kills(level, result))
    killers.forEach(countKill)
    const shown = results.filter(({ status }) => status !== 'passed' && status !== 'skipped')
    return end(killers.length > 0 ? 'killed' : isLate ? 'late' : 'missed', shown.map(toScoredRule))
  } catch (error) {
    // The command `client` ends with exit code 2 then: its first command found the fault.
    if (error instanceof AdapterBroken)
      return end('killed', [{ id: 'hello', level: 'must', status: 'failed', message: error.message }])
    throw error
  }
}

const faults = settings.faults === undefined ? [] : (await readFaults(settings.faults)).filter(isWanted)
const habits = settings.legal === undefined ? [] : (await readLegal(settings.legal)).filter(isWanted)
const legalTask = (kind: 'right' | 'legal', program: LegalDifference, profile: ClientProfile): Task => ({
  ...{ kind, id: program.id, profile },
  score: () => scoreLegal(kind, program, profile),
})

if (kinds.includes('right')) {
  const tasks = profiles.map((profile) => legalTask('right', { id: 'right' }, profile))
  await scoreTasks(tasks, file, settings.jobs)
}
if (kinds.includes('legal')) {
  const tasks = profiles.flatMap((profile) => habits.map((habit) => legalTask('legal', habit, profile)))
  await scoreTasks(tasks, file, settings.jobs)
}
if (kinds.includes('fault')) {
  const tasks = profiles.flatMap((profile) =>
    faults
      .filter((fault) => fault.profile === profile)
      .map((fault): Task => ({ kind: 'fault', id: fault.id, profile, score: () => scoreFault(fault, profile) })),
  )
  await scoreTasks(tasks, file, settings.jobs)
}
if (settings.foundBy !== undefined) await writeFoundBy(settings.foundBy, file.scores())
console.log(describeScore(file.scores()))
