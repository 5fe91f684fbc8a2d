/*
 * The command line of the suite: reads arguments and variables, runs one command, and returns the exit code.
 * `options.ts` is the table of all options; parsing, help and defaults are derived from it. The folder must not know
 * how a rule is checked: `../runner.ts` runs the rules and `../report/` renders the results. Start reading here;
 * `run.ts` and `doctor.ts` hold the two commands that contact a server.
 */
import { createPaint, wantsColors } from '../report/paint.ts'
import { allRequirements } from '../requirements/all-requirements.ts'
import { suiteVersion } from '../specification.ts'
import { type Arguments, readArguments, readSelection, readTarget, UsageError } from './arguments.ts'
import { checkConnection, type Note, renderNote, tryFirstRules } from './doctor.ts'
import { renderCommandHelp, renderHelp } from './options.ts'
import type { CommandContext } from './output.ts'
import { explainRule, renderCoverage, renderList, selectRules } from './rule-lists.ts'
import { run } from './run.ts'

/**
 * Runs the words after the program's name and resolves to the exit code (see `exitCodeHelp`). Prints an error of the
 * suite itself with its stack and resolves to 3, which is never a verdict about the server.
 */
export async function runCommandLine(words: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await dispatch(words, context)
  } catch (error) {
    if (error instanceof UsageError) {
      context.errors.write(`thingsync-conformance: ${error.message}\n`)
      return 2
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    context.errors.write(
      `thingsync-conformance: the suite itself failed, which says nothing about the server:\n${text}\n`,
    )
    return 3
  }
}

async function dispatch(words: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context
  const given = readArguments(words, context.environment)
  if (given.values.has('version')) {
    output.write(`${suiteVersion}\n`)
    return 0
  }
  if (given.values.has('help')) {
    output.write(words.some((word) => word === given.command) ? renderCommandHelp(given.command) : renderHelp())
    return 0
  }
  if (given.command === 'doctor') return doctor(given, context)
  if (given.command === 'run') return run(given, context, allRequirements)
  if (given.command === 'explain') {
    output.write(explainRule(given.operands, context.rules, allRequirements))
    return 0
  }
  if (given.values.has('coverage')) {
    // With only some rules, requirements that other rules observe would seem unobserved.
    const other = [...given.values.keys()].find((name) => name !== 'coverage')
    if (other !== undefined) throw new UsageError(`--coverage shows every requirement; leave --${other} out`)
    output.write(renderCoverage(allRequirements, context.rules))
    return 0
  }
  output.write(renderList(selectRules(context.rules, readSelection(given))))
  return 0
}

async function doctor(given: Arguments, { output, environment, rules, signal }: CommandContext): Promise<number> {
  const paint = createPaint(wantsColors(output.isTerminal, environment))
  const report = (note: Note): unknown => output.write(renderNote(note, paint))
  const target = readTarget(given)
  const connection = await checkConnection(target, report)
  const exitCode = connection === 0 ? await tryFirstRules(target, rules, report, signal) : connection
  output.write(
    exitCode === 0
      ? 'Ready: run the suite with the same options. Without --other-client and --restart, it skips rules.\n'
      : 'Fix the problems above, then run the doctor again.\n',
  )
  return exitCode
}
