import { type Command, Option } from 'commander'
import { formatVisibleJson, maskInvisible } from '../accounts/names.ts'
import { describeUnknownName, readSettings, type SettingsRead } from '../config/read-settings.ts'
import { isDatabaseUrl } from '../config/setting-kinds.ts'
import {
  environmentNameOf,
  findSetting,
  flagOf,
  propertyOf,
  type SettingName,
  settingNames,
} from '../config/settings-table.ts'
import type { AccountCommand } from '../runtime/account-commands.ts'
import { type AccountRow, CommandFailed } from '../runtime/command-errors.ts'
import { printTable, showDate } from './output.ts'
import { runOnFolder } from './run-command.ts'

/** An id, 32 bytes as base64url; one in 64 begins with a dash. No option is as long. */
const dashedId = /^-[\w-]{42}$/

/** The same command line, with ids that look like options behind `--`; what stands behind an option is its value. */
export const setDashedIdsApart = (argv: readonly string[]): readonly string[] => {
  if (argv.includes('--')) return argv
  const isApart = (one: string, index: number) => dashedId.test(one) && argv[index - 1]?.startsWith('--') !== true
  const ids = argv.filter(isApart)
  return ids.length === 0 ? argv : [...argv.filter((one, index) => !isApart(one, index)), '--', ...ids]
}

/** Adds a flag per setting, and `--config`, to a command. Unknown flags are kept for readCommandSettings to name. */
export function addSettingFlags(command: Command, names: readonly SettingName[] = settingNames): Command {
  for (const name of names) {
    const { placeholder, sentence, default: value, unit, isSecret } = findSetting(name)
    if (isSecret) continue
    const notes = [typeof value === 'boolean' ? '' : showDefault(value, unit), environmentNameOf(name)]
    const flag = placeholder ? `${flagOf(name)} <${placeholder}>` : flagOf(name)
    command.addOption(
      new Option(
        flag,
        `${value === true ? `Without this flag: ${sentence}` : sentence} [${notes.filter(Boolean).join('; ')}]`,
      ),
    )
  }
  command.option(
    '--config <FILE>',
    'Configuration file, JSON. [default thingsync.json in the data folder, if it is there; THINGSYNC_CONFIG]',
  )
  return command.allowUnknownOption().allowExcessArguments()
}

function showDefault(value: unknown, unit: string | undefined): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return ''
  return `default ${value}${unit ? ` ${unit}` : ''}`
}

/**
 * The settings for a command from its flags, the environment and the file. A command with arguments of its own says how
 * many.
 * @throws SettingsInvalid with every problem
 */
export function readCommandSettings(command: Command): Promise<SettingsRead> {
  const given = (property: string) => command.getOptionValueSource(property) === 'cli'
  const flags = settingNames
    .filter((name) => given(propertyOf(name)))
    .map((name) => [name, command.getOptionValue(propertyOf(name))])
  return readSettings({
    flags: Object.fromEntries(flags),
    flagProblems: [...findUnknown(command), ...findTwoPlaces(Object.fromEntries(flags))],
    configFile: given('config') ? command.getOptionValue('config') : undefined,
    environment: process.env,
  })
}

function findTwoPlaces({ data, store }: Readonly<Record<string, unknown>>): string[] {
  if (data === undefined || typeof store !== 'string' || !isDatabaseUrl(store)) return []
  return ['--data: a server keeps everything in a folder or in a database; leave out --data or --store']
}

const isFlag = (arg: string): boolean => arg.startsWith('-') && arg !== '-' && !dashedId.test(arg)

function findUnknown(command: Command): string[] {
  const known = command.options.map((option) => option.long ?? '')
  const left = command.args.slice(command.registeredArguments.length)
  const flags = command.args.filter(isFlag).map((arg) => arg.replace(/=.*/s, ''))
  if (flags.length > 0) return flags.map((flag) => `${flag}: ${describeUnknownName(flag, known)}`)
  return left.map((arg) => `${arg}: this command takes no such argument`)
}

/** Adds what all commands about users and apps take: the data folder and the form of the answer. */
export function addAccountOptions(command: Command): Command {
  return addSettingFlags(command, ['data', 'store']).addOption(
    new Option('--format <FORM>', 'Form of the answer on standard output.').choices(['text', 'json']).default('text'),
  )
}

/**
 * Runs a command on the data folder of the settings, whether its server runs or not.
 * @throws CommandFailed when it is refused
 */
export async function runAccountOn(
  command: Command,
  makeCommand: () => AccountCommand | Promise<AccountCommand>,
): Promise<readonly AccountRow[]> {
  const { settings } = await readCommandSettings(command)
  const asked = await makeCommand()
  const mayMake = asked.name === 'user add' || asked.name === 'app add'
  const outcome = await runOnFolder(settings, asked, { mayMake })
  if ('refused' in outcome) throw new CommandFailed(outcome.refused)
  return outcome.rows
}

/** Prints one result: as a JSON object, or as lines of text. */
export function printResult(command: Command, result: AccountRow, lines: readonly string[]): void {
  const isJson = command.getOptionValue('format') === 'json'
  process.stdout.write(isJson ? `${formatVisibleJson(result)}\n` : lines.map((line) => `${line}\n`).join(''))
}

/** Prints a list: as a JSON array, or as a table with dates for people; `nothing` is said when it is empty. */
export function printList(command: Command, rows: readonly AccountRow[], nothing: string): void {
  if (command.getOptionValue('format') === 'json') process.stdout.write(`${formatVisibleJson(rows)}\n`)
  else if (rows.length === 0) process.stderr.write(`${nothing}\n`)
  else process.stdout.write(printTable(rows.map(showRow)))
}

function showRow(row: AccountRow): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name === 'date' ? 'created' : name, showValue(value)]),
  )
}

function showValue(value: AccountRow[string]): string {
  if (value === null) return '-'
  if (typeof value === 'string') return maskInvisible(value)
  if (typeof value === 'number') return showDate(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value.length === 0 ? '-' : maskInvisible(value.join(' '))
}
