/**
 * Scores a suite against a set of programs that lives outside this folder: one right program, its faults and its legal
 * differences. This module reads the catalogs, keeps the results file and prints the score; `score-clients.ts` and
 * `score-servers.ts` run the suites. The results file holds one line of JSON for each program, so that a score that
 * was interrupted goes on where it ended.
 */
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Level, RuleResult } from '../src/result.ts'

/** One faulty program of a set, as the catalog of the set describes it. */
export interface SetFault {
  readonly id: string
  readonly class: string
  readonly profile: string
  /** The level of the requirement that the fault violates. A set without levels violates a MUST with each fault. */
  readonly level: Level
}

/** The kinds of programs in a set; `legal` differs from the right program where the specification permits it. */
export type ProgramKind = 'right' | 'legal' | 'fault'

/** A rule that did not pass, with its reason. */
export interface ScoredRule {
  readonly id: string
  readonly level: Level
  readonly status: RuleResult['status']
  readonly message: string
}

/** The result of one program: a line of the results file. */
export interface ProgramScore {
  readonly kind: ProgramKind
  readonly id: string
  /** The profile of the rules that ran. */
  readonly profile: string
  readonly class?: string
  readonly level?: Level
  /**
   * Fault: killed or missed. Right and legal programs: passed, or alarm when a rule of any level did not pass. `late`:
   * the time limit ended the run before the other rules.
   */
  readonly status: 'killed' | 'missed' | 'passed' | 'alarm' | 'late'
  /** The rules that failed, ended with an error of the suite, or (right and legal programs) were blocked. */
  readonly rules: readonly ScoredRule[]
  readonly ms: number
}

/** What a score consists of. */
export interface ScoreSettings {
  /** Path of the catalog of faults, and of the catalog of legal differences. */
  readonly faults: string | undefined
  readonly legal: string | undefined
  /** Path of the results file. */
  readonly results: string
  /** The kinds of programs to score. */
  readonly kinds: readonly ProgramKind[]
  /** Profiles of the faults and of the rules; empty for all. */
  readonly profiles: readonly string[]
  /** IDs of faults and legal differences; empty for all. */
  readonly only: readonly string[]
  /** Number of programs at the same time. */
  readonly jobs: number
  /** Whether to leave out the rules that need minutes. */
  readonly isQuick: boolean
  /** The file that gets the rule that found each fault. */
  readonly foundBy: string | undefined
  /** Maximum time for one program, in milliseconds. */
  readonly maxMs: number
  /** The command that starts the right program. */
  readonly command: readonly string[]
}

/** Reads the words of the command line. @throws Error that says what to write */
export function readScoreSettings(words: readonly string[]): ScoreSettings {
  const end = words.indexOf('--')
  const command = end < 0 ? [] : words.slice(end + 1)
  if (command.length === 0) throw new Error('name the command that starts the right program, after --')
  const text = { type: 'string' } as const
  const list = { type: 'string', multiple: true } as const
  const { values } = parseArgs({
    args: words.slice(0, end),
    options: {
      ...{ faults: text, legal: text, results: text, jobs: text, 'max-seconds': text, 'found-by': text },
      ...{ kind: list, profile: list, only: list, quick: { type: 'boolean' } },
    },
  })
  if (values.results === undefined) throw new Error('--results FILE: name the file that keeps the results')
  const wanted = values.kind ?? ['right', 'legal', 'fault']
  return {
    ...{ faults: values.faults, legal: values.legal, results: values.results, command },
    kinds: (['right', 'legal', 'fault'] as const).filter((kind) => wanted.includes(kind)),
    ...{ profiles: values.profile ?? [], only: values.only ?? [] },
    isQuick: values.quick === true,
    jobs: Number(values.jobs ?? 1),
    foundBy: values['found-by'],
    maxMs: Number(values['max-seconds'] ?? 900) * 1000,
  }
}

/** Reads a catalog of faults. */
export async function readFaults(path: string): Promise<readonly SetFault[]> {
  const entries = JSON.parse(await readFile(path, 'utf8')) as readonly (Omit<SetFault, 'level'> & { level?: string })[]
  return entries.map(({ id, class: name, profile, level = 'MUST' }) => ({
    ...{ id, class: name, profile },
    level: level === 'SHOULD' ? 'should' : 'must',
  }))
}

/** A legal difference of a program: what it does is permitted, but maybe not what it should do. */
export interface LegalDifference {
  readonly id: string
  readonly profile?: string
  /** The rules with level SHOULD that it does not keep. */
  readonly departsFrom?: readonly string[]
}

/** Reads a catalog of legal differences. */
export async function readLegal(path: string): Promise<readonly LegalDifference[]> {
  return JSON.parse(await readFile(path, 'utf8'))
}

/** Decides which results kill a fault: a failed rule of the fault's level or a higher one. */
export function kills(level: Level, result: Pick<RuleResult, 'status' | 'level'>): boolean {
  return result.status === 'failed' && (level === 'should' || result.level === 'must')
}

/** Decides which results are wrong for a right or legal program. */
export function isAlarm({ status, level }: RuleResult): boolean {
  return status === 'failed' || status === 'error' || (status === 'blocked' && level === 'must')
}

/** Selects what the results file keeps of a rule. */
export function toScoredRule({ id, level, status, message = '' }: RuleResult): ScoredRule {
  return { id, level, status, message: message.slice(0, 600) }
}

/** The results file of a score. */
export interface ResultsFile {
  readonly scores: () => readonly ProgramScore[]
  readonly has: (kind: ProgramKind, id: string, profile: string) => boolean
  readonly add: (score: ProgramScore) => Promise<void>
}

/** Opens the results file; a missing one is empty, and a last line without its end is removed. */
export async function openResultsFile(path: string): Promise<ResultsFile> {
  const scores: ProgramScore[] = []
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  for (const line of whole.split('\n')) if (line !== '') scores.push(JSON.parse(line))
  // A line that an interrupted score began would swallow the next one.
  if (text !== whole) await writeFile(path, whole)
  return {
    scores: () => scores,
    has: (kind, id, profile) =>
      scores.some((score) => score.kind === kind && score.id === id && score.profile === profile),
    add: async (score) => {
      scores.push(score)
      await appendFile(path, `${JSON.stringify(score)}\n`)
    },
  }
}

/** A program that waits for its score. */
export interface Task {
  readonly kind: ProgramKind
  readonly id: string
  readonly profile: string
  readonly score: () => Promise<ProgramScore>
}

/** Scores the programs that the results file does not hold, and writes a line of progress for each. */
export async function scoreTasks(tasks: readonly Task[], file: ResultsFile, jobs: number): Promise<void> {
  const open = tasks.filter(({ kind, id, profile }) => !file.has(kind, id, profile))
  console.log(`${open.length} of ${tasks.length} programs to score`)
  const queue = open.values()
  let done = 0
  const work = async (): Promise<void> => {
    for (const task of queue) {
      const score = await task.score()
      await file.add(score)
      done += 1
      const by = score.rules.map(({ id }) => id).join(' ')
      console.log(
        `${done}/${open.length} ${score.status} ${score.id} (${Math.round(score.ms / 1000)} s) ${by}`.trimEnd(),
      )
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
}

/** Writes the rule that found each fault, by the fault's ID. */
export async function writeFoundBy(path: string, scores: readonly ProgramScore[]): Promise<void> {
  const found = scores
    .filter(({ kind, status }) => kind === 'fault' && status === 'killed')
    .map(({ id, rules }): [string, string] => [id, rules.find(({ status }) => status === 'failed')?.id ?? ''])
    .sort(([a], [b]) => (a < b ? -1 : 1))
  await writeFile(path, `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`)
}

/** Formats the score: killed and missed faults by class, and the false alarms with their reasons. */
export function describeScore(scores: readonly ProgramScore[]): string {
  const faults = scores.filter(({ kind }) => kind === 'fault')
  const legal = scores.filter(({ kind }) => kind !== 'fault')
  const classes = [...new Set(faults.map((score) => score.class ?? ''))].sort()
  const rows = classes.map((name) => {
    const own = faults.filter((score) => (score.class ?? '') === name)
    const missed = own.filter(({ status }) => status !== 'killed').map(({ id }) => id)
    return `${name.padEnd(24)} ${countKilled(own).padStart(9)}  ${missed.join(' ')}`.trimEnd()
  })
  const levels = (['must', 'should'] as const).map(
    (level) => `${level.toUpperCase()} ${countKilled(faults.filter((score) => score.level === level))}`,
  )
  const alarms = legal.filter(({ status }) => status === 'alarm')
  const late = scores.filter(({ status }) => status === 'late').map(({ id }) => id)
  return [
    ...rows,
    `killed ${countKilled(faults)} faults: ${levels.join(', ')}`,
    `false alarms on ${alarms.length} of ${legal.length} right and legal programs`,
    ...alarms.flatMap(({ kind, id, rules }) =>
      rules.map((rule) => `  ${kind} ${id}: ${rule.id} ${rule.status}: ${rule.message}`),
    ),
    ...(late.length === 0 ? [] : [`ended by --max-seconds: ${late.join(' ')}`]),
  ].join('\n')
}

function countKilled(faults: readonly ProgramScore[]): string {
  return `${faults.filter(({ status }) => status === 'killed').length}/${faults.length}`
}

/**
 * Lists the rules that a right program of the set does not pass: they kill no fault of the set.
 * @throws Error when the right program has no score of this profile yet
 */
export function findUnreliableRules(file: ResultsFile, profile: string): ReadonlySet<string> {
  const right = file.scores().filter((score) => score.kind === 'right' && score.profile === profile)
  if (right.length === 0) throw new Error(`score the right program of the profile ${profile} first: --kind right`)
  return new Set(right.flatMap(({ rules }) => rules.map(({ id }) => id)))
}
