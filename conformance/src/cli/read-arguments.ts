import { parseArgs } from 'node:util'
import { offerNearMatches } from './near-matches.ts'
import { type CommandName, commandNames, type Option, optionsOf, optionTable, variableOf } from './option-table.ts'
import { UsageError } from './usage-error.ts'

/** What was typed, checked for form only: every value still text. */
export interface Arguments {
  readonly command: CommandName
  readonly help: boolean
  readonly version: boolean
  /** `list --coverage` */
  readonly coverage: boolean
  /** What stands beside the options: the rule id of `explain`. */
  readonly operands: readonly string[]
  /** Values by option name; a switch that is on has the value `true`. From the command line, else from its variable. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

const plainSwitches = ['help', 'version', 'coverage']

/** Reads the words after the program's name and the variables beside them; throws a UsageError that names the option. */
export function readArguments(words: readonly string[], environment: NodeJS.ProcessEnv): Arguments {
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    tokens: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
      coverage: { type: 'boolean' },
      ...Object.fromEntries(
        optionTable.map((option) => [
          option.name,
          { type: option.value ? 'string' : 'boolean', multiple: true } as const,
        ]),
      ),
    },
  })
  // First of all: what follows a mistyped option would be taken for a command.
  for (const token of tokens) if (token.kind === 'option') refuseUnknown(token.rawName, token.name)
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const { command, operands } = readCommand(positionals)
  const switches = new Set<string>()
  const values = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    if (plainSwitches.includes(token.name)) switches.add(token.name)
    else keep(values, findOption(token.name, command), token.value)
  }
  for (const option of optionsOf(command)) {
    if (!values.has(option.name)) keepVariable(values, option, environment[variableOf(option.name)])
  }
  if (switches.has('coverage') && command !== 'list') throw new UsageError('--coverage belongs to the command list')
  return {
    command,
    help: switches.has('help'),
    version: switches.has('version'),
    coverage: switches.has('coverage'),
    operands,
    values,
  }
}

function readCommand(positionals: readonly string[]): { command: CommandName; operands: readonly string[] } {
  const [first, ...rest] = positionals
  if (first === undefined) return { command: 'run', operands: [] }
  const command = commandNames.find((name) => name === first)
  if (!command) {
    throw new UsageError(
      `there is no command ${first}${offerNearMatches(first, commandNames)} (see --help for the commands)`,
    )
  }
  if (command !== 'explain' && rest.length > 0) {
    throw new UsageError(`${command} takes options only, but ${rest[0]} was given; see ${command} --help`)
  }
  return { command, operands: rest }
}

function refuseUnknown(rawName: string, name: string): void {
  const known = [...plainSwitches, ...optionTable.map((option) => option.name)]
  if (rawName === '-h' || (known.includes(name) && rawName === `--${name}`)) return
  const near = offerNearMatches(
    rawName,
    known.map((each) => `--${each}`),
  )
  throw new UsageError(`there is no option ${rawName}${near} (see --help for the options)`)
}

function findOption(name: string, command: CommandName): Option {
  const option = optionTable.find((candidate) => candidate.name === name)
  if (option?.commands.includes(command)) return option
  throw new UsageError(`--${name} does not belong to ${command} but to ${option?.commands.join(' and ')}; leave it out`)
}

function keep(values: Map<string, string[]>, option: Option, value: string | undefined): void {
  const earlier = values.get(option.name)
  if (!option.value) {
    if (value !== undefined) throw new UsageError(`--${option.name} takes no value; write it alone`)
    values.set(option.name, ['true'])
    return
  }
  // A forgotten value would silently swallow the next option.
  const swallowed = optionTable.some((other) => value === `--${other.name}` || value?.startsWith(`--${other.name}=`))
  if (value === undefined || value === '' || swallowed) {
    throw new UsageError(`--${option.name} needs a value; write --${option.name} ${option.value}`)
  }
  if (earlier && !option.repeatable) throw new UsageError(`--${option.name} was given twice; give it once`)
  values.set(option.name, [...(earlier ?? []), value])
}

function keepVariable(values: Map<string, string[]>, option: Option, text: string | undefined): void {
  if (text === undefined || text.trim() === '') return
  if (!option.value) {
    if (/^(1|true|yes|on)$/i.test(text)) values.set(option.name, ['true'])
    else if (!/^(0|false|no|off)$/i.test(text)) throw new UsageError(`${variableOf(option.name)} must be true or false`)
    return
  }
  // Several values of a repeatable option stand one on a line: passwords may hold any other separator.
  values.set(option.name, option.repeatable ? text.split(/\r?\n/).filter((line) => line !== '') : [text])
}
