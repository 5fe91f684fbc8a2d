import { allClauses } from '../clauses/all-clauses.ts'
import { suiteVersion } from '../package-root.ts'
import { createPaint, wantsColours } from '../report/paint.ts'
import { renderCoverage } from './coverage.ts'
import { checkConnection } from './doctor.ts'
import { type Note, renderNote } from './doctor-note.ts'
import { tryFirstRules } from './first-rules.ts'
import { renderCommandHelp, renderHelp } from './help.ts'
import { explainRule, renderList } from './list-rules.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { run } from './run.ts'
import { selectRules } from './select-rules.ts'
import { readSelection, readTarget } from './settings.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'

/**
 * Runs the words after the program's name and resolves to the exit code (see `exitCodeHelp`). An error of the suite
 * itself is printed with its stack and is 3, never a verdict about the server.
 */
export async function runCommandLine(words: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    return await dispatch(words, surroundings)
  } catch (error) {
    if (error instanceof UsageError) {
      surroundings.errors.write(`thingsync-conformance: ${error.message}\n`)
      return 2
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    surroundings.errors.write(
      `thingsync-conformance: the suite itself failed, which says nothing about the server:\n${text}\n`,
    )
    return 3
  }
}

async function dispatch(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { output } = surroundings
  const given = readArguments(words, surroundings.environment)
  if (given.values.has('version')) {
    output.write(`${suiteVersion}\n`)
    return 0
  }
  if (given.values.has('help')) {
    output.write(words.some((word) => word === given.command) ? renderCommandHelp(given.command) : renderHelp())
    return 0
  }
  if (given.command === 'doctor') return doctor(given, surroundings)
  if (given.command === 'run') return run(given, surroundings, allClauses)
  if (given.command === 'explain') {
    output.write(explainRule(given.operands, surroundings.rules, allClauses))
    return 0
  }
  if (given.values.has('coverage')) {
    // Of some rules only, clauses would seem unobserved that others observe.
    const other = [...given.values.keys()].find((name) => name !== 'coverage')
    if (other !== undefined) throw new UsageError(`--coverage shows every clause; leave --${other} out`)
    output.write(renderCoverage(allClauses, surroundings.rules))
    return 0
  }
  output.write(renderList(selectRules(surroundings.rules, readSelection(given))))
  return 0
}

async function doctor(given: Arguments, { output, environment, rules, signal }: Surroundings): Promise<number> {
  const paint = createPaint(wantsColours(output.isTerminal, environment))
  const tell = (note: Note): unknown => output.write(renderNote(note, paint))
  const target = readTarget(given)
  const connection = await checkConnection(target, tell)
  const exitCode = connection === 0 ? await tryFirstRules(target, rules, tell, signal) : connection
  output.write(
    exitCode === 0
      ? 'Ready: run the suite with the same options.\n'
      : 'Mend the problems above, then ask the doctor again.\n',
  )
  return exitCode
}
