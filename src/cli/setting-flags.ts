import { type Command, Option } from 'commander'
import { readSettings, type SettingsRead } from '../config/read-settings.ts'
import {
  environmentNameOf,
  findSetting,
  flagOf,
  propertyOf,
  type SettingName,
  settingNames,
} from '../config/settings-table.ts'
import { isDatabaseUrl } from '../config/store-place.ts'
import { unknownSentence } from '../config/unknown-names.ts'
import { dashedId } from './dashed-ids.ts'

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
  if (flags.length > 0) return flags.map((flag) => `${flag}: ${unknownSentence(flag, known)}`)
  return left.map((arg) => `${arg}: this command takes no such argument`)
}
