import { parseArgs } from 'node:util'
import { offerNearMatches } from './near-matches.ts'
import { type CommandName, commandNames, type Option, optionsOf, optionTable } from './option-table.ts'
import { UsageError } from './usage-error.ts'

/** What was typed, checked for form only: every value still text. */
export interface Arguments {
  readonly command: CommandName
  /** What stands beside the options: the rule id of `explain`. */
  readonly operands: readonly string[]
  /** Values by option name; a switch that is on has none. From the command line, else from its variable. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** Reads the words after the program's name and the variables beside them; throws a UsageError that names the option. */
export function readArguments(words: readonly string[], environment: NodeJS.ProcessEnv): Arguments {
  const types = optionTable.map(
    ({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  )
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  })
  const typed = tokens.filter((token) => token.kind === 'option')
  const flags = [...new Set(optionTable.map(({ name }) => `--${name}`))]
  // First of all: what follows a mistyped option would be taken for a command.
  for (const { rawName } of typed) {
    if (rawName === '-h' || flags.includes(rawName)) continue
    throw new UsageError(
      `there is no option ${rawName}${offerNearMatches(rawName, flags)} (see --help for the options)`,
    )
  }
  const { command, operands } = readCommand(positionals)
  const values = new Map<string, readonly string[]>()
  for (const { name, value } of typed) {
    const option = findOption(name, command)
    values.set(name, [...(values.get(name) ?? []), ...readTyped(option, value, values.has(name))])
  }
  for (const option of optionsOf(command)) {
    const text = option.variable === undefined ? '' : (environment[option.variable] ?? '')
    const value = values.has(option.name) || text.trim() === '' ? undefined : readVariable(option, text)
    if (value !== undefined) values.set(option.name, value)
  }
  return { command, operands, values }
}

function readCommand(positionals: readonly string[]): Pick<Arguments, 'command' | 'operands'> {
  const [first = 'run', ...operands] = positionals
  const command = commandNames.find((name) => name === first)
  if (!command) {
    const near = offerNearMatches(first, commandNames)
    throw new UsageError(`there is no command ${first}${near} (see --help for the commands)`)
  }
  if (command !== 'explain' && operands.length > 0)
    throw new UsageError(`${command} takes options only, but ${operands[0]} was given; see ${command} --help`)
  return { command, operands }
}

function findOption(name: string, command: CommandName): Option {
  const option = optionsOf(command).find((each) => each.name === name)
  if (option) return option
  const others = optionTable.filter((each) => each.name === name).flatMap(({ commands }) => commands)
  throw new UsageError(`--${name} does not belong to ${command} but to ${others.join(' and ')}; leave it out`)
}

function readTyped({ name, value, isRepeatable }: Option, text: string | undefined, isAgain: boolean): string[] {
  if (value === undefined) {
    if (text !== undefined) throw new UsageError(`--${name} takes no value; write it alone`)
    return []
  }
  // A forgotten value would silently swallow the next option.
  const isSwallowed = optionTable.some((other) => text?.split('=')[0] === `--${other.name}`)
  if (!text || isSwallowed) throw new UsageError(`--${name} needs a value; write --${name} ${value}`)
  if (isAgain && !isRepeatable) throw new UsageError(`--${name} was given twice; give it once`)
  return [text]
}

function readVariable({ value, isRepeatable, variable }: Option, text: string): string[] | undefined {
  // Several values of a repeatable option stand one on a line: passwords may hold any other separator.
  if (value !== undefined) return isRepeatable ? text.split(/\r?\n/).filter((line) => line !== '') : [text]
  if (/^(1|true|yes|on)$/i.test(text)) return []
  if (/^(0|false|no|off)$/i.test(text)) return undefined
  throw new UsageError(`${variable} must be true or false`)
}
