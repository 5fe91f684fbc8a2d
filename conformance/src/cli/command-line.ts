/*
 * The command line of the suite: reads arguments and variables, runs one command, and returns the exit code.
 * `options.ts` is the table of all options; parsing, help and defaults are derived from it. The folder must not know
 * how a rule is checked: `../runner.ts` runs the rules and `../report/` renders the results. Start reading here;
 * `run.ts` and `doctor.ts` hold the two commands that contact a server, and `client.ts` the one that starts an adapter.
 */

import { diagnoseAdapter } from '../client-suite/adapter-doctor.ts'
import { allClientRules } from '../client-suite/all-client-rules.ts'
import { createPaint, wantsColors } from '../report/paint.ts'
import { allRequirements } from '../requirements/all-requirements.ts'
import { clientRequirements } from '../requirements/clients.ts'
import { suiteVersion } from '../specification.ts'
import {
  type Arguments,
  isAboutClients,
  readArguments,
  readClientProfile,
  readRuleIds,
  readSelection,
  readTarget,
  UsageError,
} from './arguments.ts'
import { checkClient } from './client.ts'
import { checkConnection, type Note, renderNote, tryFirstRules } from './doctor.ts'
import { renderCommandHelp, renderHelp } from './options.ts'
import type { CommandContext } from './output.ts'
import { explainRule, renderCoverage, renderList, selectClientRules, selectRules } from './rule-lists.ts'
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
  if (given.command === 'doctor')
    return given.adapter.length > 0 ? doctorAdapter(given, context) : doctor(given, context)
  if (given.command === 'client') return checkClient(given, context)
  if (given.command === 'run') return run(given, context, allRequirements)
  if (given.command === 'explain') {
    const requirements = [...allRequirements, ...clientRequirements]
    output.write(explainRule(given.operands, [...context.rules, ...allClientRules], requirements))
    return 0
  }
  if (given.values.has('coverage')) {
    // With only some rules, requirements that other rules observe would seem unobserved.
    const other = [...given.values.keys()].find((name) => name !== 'coverage')
    if (other !== undefined) throw new UsageError(`--coverage shows every requirement; leave --${other} out`)
    output.write(renderCoverage(allRequirements, context.rules))
    return 0
  }
  output.write(renderList(listRules(given, context)))
  return 0
}

/** Returns the rules that `list` shows. */
function listRules(given: Arguments, { rules }: CommandContext): Parameters<typeof renderList>[0] {
  if (!isAboutClients(given)) return selectRules(rules, readSelection(given))
  return selectClientRules(allClientRules, [readClientProfile(given) ?? 'api'], readRuleIds(given))
}

async function doctorAdapter({ adapter, values }: Arguments, { output, environment }: CommandContext): Promise<number> {
  const [name] = values.keys()
  if (name !== undefined) throw new UsageError(`doctor -- COMMAND… takes no options; leave --${name} out`)
  const paint = createPaint(wantsColors(output.isTerminal, environment))
  const exitCode = await diagnoseAdapter(adapter, (note) => void output.write(renderNote(note, paint)))
  output.write(
    exitCode === 0
      ? 'Ready: run the suite with client -- and the same command.\n'
      : 'Fix the problems above, then run the doctor again.\n',
  )
  return exitCode
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
