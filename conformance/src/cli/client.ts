/** The command `client`: checks a client through its adapter, prints and writes the reports. */
import { randomInt } from 'node:crypto'
import { AdapterBroken, type Hello } from '../client-suite/adapter.ts'
import { allClientRules } from '../client-suite/all-client-rules.ts'
import { greetAdapter, runClientRules } from '../client-suite/run-client-rules.ts'
import { createPaint, wantsColors } from '../report/paint.ts'
import type { FinishedRun } from '../report/reported-result.ts'
import { renderBrief, renderText } from '../report/text.ts'
import { decideVerdict, findStaleExpectedFailures, markExpectedFailures } from '../report/verdict.ts'
import { writeReports } from '../report/write-reports.ts'
import { clientRequirements } from '../requirements/clients.ts'
import type { CheckedProfile, ClientProfile } from '../result.ts'
import { suiteVersion } from '../specification.ts'
import { type Arguments, readClientProfile, readLevel, readRuleIds, readRunSettings, UsageError } from './arguments.ts'
import { type CommandContext, createProgress } from './output.ts'
import { checkSelection, selectClientRules } from './rule-lists.ts'
import { interruptedCode, prepareReports, readExpectedFailures } from './run.ts'

/** Runs the selected rules against the client, prints and writes the reports, and resolves to the exit code. */
export async function checkClient(given: Arguments, context: CommandContext): Promise<number> {
  const { output, errors, environment, signal } = context
  const command = given.adapter
  if (command.length === 0)
    throw new UsageError('client needs the command that starts your adapter; write client -- COMMAND…')
  const wantedProfile = readClientProfile(given)
  const [level, wantedRules, settings] = [readLevel(given), readRuleIds(given), readRunSettings(given)]
  const allIds = allClientRules.map(({ id }) => id)
  const expectedFailures =
    settings.expectFile === undefined ? [] : await readExpectedFailures(settings.expectFile, allIds)
  // An ID that no rule has is reported before the adapter starts.
  selectClientRules(allClientRules, ['api', 'replica'], wantedRules)
  await prepareReports(settings.reports)
  const seed = settings.seed ?? randomInt(2 ** 32)
  const paint = createPaint(wantsColors(output.isTerminal, environment))
  const finish = async (run: FinishedRun): Promise<number> => {
    const repeat = (id: string): string | undefined => run.results.find((result) => result.id === id)?.curl
    output.write(settings.verbose ? renderText(run, clientRequirements, paint) : renderBrief(run, paint, repeat))
    await writeReports(settings.reports, run, clientRequirements)
    return run.exitCode
  }
  const hello = await findHello(command)
  if (typeof hello === 'string')
    return finish(describeNoRun(command, wantedProfile ?? 'api and replica', seed, level, `NOT RUN: ${hello}`))
  const profiles = wantedProfile === undefined ? hello.profiles : [wantedProfile]
  if (wantedProfile !== undefined && !hello.profiles.includes(wantedProfile))
    throw new UsageError(`--profile ${wantedProfile}: the adapter claims only ${hello.profiles.join(' and ')}`)
  const selected = selectClientRules(allClientRules, profiles, wantedRules)
  const rules = selected.filter(({ id }) => settings.histories !== 0 || !id.startsWith('CLIENT-HISTORY-'))
  checkSelection(rules, { level })
  const progress = createProgress(errors, rules.length, createPaint(wantsColors(errors.isTerminal, environment)))
  const report = await runClientRules({
    ...{ command, profiles, rules, seed, level, signal },
    histories: settings.histories ?? 10,
    jobs: settings.jobs ?? 4,
    onResult: progress.show,
    repeat: ({ id }) => {
      const histories = id.startsWith('CLIENT-HISTORY-') ? ` --histories ${settings.histories ?? 10}` : ''
      return `thingsync-conformance client --rule ${id} --seed ${seed}${histories} -- ${command.map(quote).join(' ')}`
    },
  }).finally(() => progress.end())
  const results = markExpectedFailures(report.results, expectedFailures)
  const verdict = decideVerdict(results, level, report.profile)
  const staleExpectedFailures = findStaleExpectedFailures(results, expectedFailures)
  const finished = { ...report, ...verdict, level, results, staleExpectedFailures }
  if (!signal.aborted) return finish(finished)
  const failed =
    verdict.summary.mustFailed === 0 ? 'no MUST failed so far' : `${verdict.summary.mustFailed} MUST failed so far`
  return finish({ ...finished, exitCode: interruptedCode(signal), verdict: `INTERRUPTED: ${failed}.` })
}

/** Asks the adapter what it claims; returns a sentence when it cannot be used. */
async function findHello(command: readonly string[]): Promise<Hello | string> {
  try {
    const { adapter, hello } = await greetAdapter(command)
    await adapter.end()
    return hello
  } catch (error) {
    if (error instanceof AdapterBroken) return error.message
    throw error
  }
}

/** Writes a word as a shell reads it. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function describeNoRun(
  command: readonly string[],
  profile: ClientProfile | CheckedProfile,
  seed: number,
  level: FinishedRun['level'],
  verdict: string,
): FinishedRun {
  return {
    ...{ suite: 'thingsync-conformance', version: suiteVersion, target: command.join(' '), profile, seed, level },
    ...{
      startedAt: new Date().toISOString(),
      ms: 0,
      exitCode: 2,
      verdict: `${verdict}\nTry: thingsync-conformance doctor -- ${command.map(quote).join(' ')}`,
    },
    ...{ summary: decideVerdict([], level, profile).summary, results: [], staleExpectedFailures: [] },
  }
}
