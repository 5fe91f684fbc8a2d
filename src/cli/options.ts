import { type Command, Option } from 'commander'
import { formatVisibleJson, maskInvisible } from '../accounts/names.ts'
import { describeUnknownName, readSettings, type SettingsRead } from '../config/read-settings.ts'
import {
  environmentNameOf,
  findSetting,
  flagOf,
  isDatabaseUrl,
  propertyOf,
  type SettingName,
  settingGroups,
  settingNames,
  showDefault,
} from '../config/settings-table.ts'
import type { AccountCommand } from '../runtime/account-commands.ts'
import { type AccountRow, CommandFailed } from '../runtime/command-errors.ts'
import { printTable, showDate } from './output.ts'
import { runOnFolder } from './run-command.ts'

/** Matches an id, 32 bytes as base64url, that begins with a dash, as one id in 64 does. No option is as long. */
const dashedId = /^-[\w-]{42}$/

/** Moves ids that look like options behind `--`. An argument that follows an option is its value, and stays. */
export const setDashedIdsApart = (argv: readonly string[]): readonly string[] => {
  if (argv.includes('--')) return argv
  const isApart = (one: string, index: number) => dashedId.test(one) && argv[index - 1]?.startsWith('--') !== true
  const ids = argv.filter(isApart)
  return ids.length === 0 ? argv : [...argv.filter((one, index) => !isApart(one, index)), '--', ...ids]
}

/** Sentences of a command about its flags, where the sentence of the settings table is not true for it. */
export type FlagSentences = Partial<Record<SettingName, string>>

/** The flags by which most commands find the store, in the words of a command that changes or reads it. */
const storeSentences: FlagSentences = {
  data: 'Data folder of the server; must exist.',
  store: 'json for the data folder, or the URL of the database, postgres://user@host/database.',
}

/** Adds a flag for each setting, in groups, and `--config`, to a command. `readCommandSettings` reports unknown flags. */
export function addServerFlags(command: Command): Command {
  for (const name of settingNames) {
    const { group } = findSetting(name)
    const option = createFlag(name)
    if (option !== undefined) command.addOption(option.helpGroup(`${settingGroups[group]}:`))
  }
  return addConfigFlag(command)
}

/**
 * Adds the flags of some settings, and `--config`, to a command. `readCommandSettings` reports unknown flags.
 * `showsDefaults`: false where the command cannot use the defaults.
 */
export function addSettingFlags(
  command: Command,
  names: readonly SettingName[],
  sentences: FlagSentences = {},
  showsDefaults = true,
): Command {
  for (const name of names) {
    const option = createFlag(name, sentences[name] ?? storeSentences[name], showsDefaults)
    if (option !== undefined) command.addOption(option)
  }
  return addConfigFlag(command)
}

function createFlag(name: SettingName, sentenceOfCommand?: string, showsDefault = true): Option | undefined {
  const { placeholder, sentence, flagSentence = sentence, default: value, isSecret } = findSetting(name)
  if (isSecret) return undefined
  const flag = placeholder ? `${flagOf(name)} <${placeholder}>` : flagOf(name)
  const standard = placeholder === undefined || !showsDefault ? '' : showDefault(name)
  // A flag without a value sets the opposite of the default.
  const variable = placeholder === undefined ? `${environmentNameOf(name)}=${!value}` : environmentNameOf(name)
  const notes = [standard && `default: ${standard}`, variable].filter(Boolean)
  return new Option(flag, `${sentenceOfCommand ?? flagSentence} [${notes.join('; ')}]`)
}

function addConfigFlag(command: Command): Command {
  command.option(
    '--config <FILE>',
    'Configuration file, JSON. [default: thingsync.json in the data folder, if it exists; THINGSYNC_CONFIG]',
  )
  return command.allowUnknownOption().allowExcessArguments()
}

/**
 * Reads the settings for a command from its flags, the environment and the configuration file.
 * @throws SettingsInvalid with every problem
 */
export function readCommandSettings(command: Command): Promise<SettingsRead> {
  const given = (property: string) => command.getOptionValueSource(property) === 'cli'
  const flags = settingNames
    .filter((name) => given(propertyOf(name)))
    .map((name) => [name, command.getOptionValue(propertyOf(name))])
  return readSettings({
    flags: Object.fromEntries(flags),
    flagProblems: [...findUnknown(command), ...findTwoLocations(Object.fromEntries(flags))],
    configFile: given('config') ? command.getOptionValue('config') : undefined,
    environment: process.env,
  })
}

function findTwoLocations({ data, store }: Readonly<Record<string, unknown>>): string[] {
  if (data === undefined || typeof store !== 'string' || !isDatabaseUrl(store)) return []
  return ['--data: a server stores everything in a folder or in a database; leave out --data or --store']
}

const isFlag = (arg: string): boolean => arg.startsWith('-') && arg !== '-' && !dashedId.test(arg)

function findUnknown(command: Command): string[] {
  const known = command.options.map((option) => option.long ?? '')
  const left = command.args.slice(command.registeredArguments.length)
  const flags = command.args.filter(isFlag).map((arg) => arg.replace(/=.*/s, ''))
  if (flags.length > 0) return flags.map((flag) => `${flag}: ${describeUnknownName(flag, known)}`)
  return left.map((arg) => `${arg}: this command takes no such argument; --help shows its arguments`)
}

/** Adds the options of all commands about users and apps: the data folder and the output format. */
export function addAccountOptions(command: Command, sentences: FlagSentences = {}): Command {
  return addSettingFlags(command, ['data', 'store'], sentences).addOption(
    new Option('--format <FORM>', 'Format of the output.').choices(['text', 'json']).default('text'),
  )
}

/** The sentence about `--data` of the commands that create a missing data folder. */
export const createsData: FlagSentences = { data: 'Data folder of the server; created when it is missing.' }

/**
 * Runs a command on the data folder of the settings, while its server runs or is stopped.
 * @throws CommandFailed when the accounts or the store reject the command
 */
export async function runAccountOn(
  command: Command,
  createCommand: () => AccountCommand | Promise<AccountCommand>,
): Promise<readonly AccountRow[]> {
  const { settings } = await readCommandSettings(command)
  const accountCommand = await createCommand()
  const mayCreate = accountCommand.name === 'user add' || accountCommand.name === 'app add'
  const outcome = await runOnFolder(settings, accountCommand, { mayCreate })
  if ('rejection' in outcome) throw new CommandFailed(outcome.rejection)
  return outcome.rows
}

/** Prints one result: as a JSON object, or as lines of text. */
export function printResult(command: Command, result: AccountRow, lines: readonly string[]): void {
  const isJson = command.getOptionValue('format') === 'json'
  process.stdout.write(isJson ? `${formatVisibleJson(result)}\n` : lines.map((line) => `${line}\n`).join(''))
}

/** Prints a list: as a JSON array, or as a table with readable dates. Prints `nothing` when the list is empty. */
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
