import { type Command, Option } from 'commander'
import {
  environmentNameOf,
  findSetting,
  flagOf,
  hidePassword,
  isDatabaseUrl,
  propertyOf,
  type SettingName,
  settingNames,
} from '../config/settings-table.ts'
import { addServerFlags, readCommandSettings } from './options.ts'
import { printTable } from './output.ts'

/** Adds `config`: shows the table of settings with the values that `serve` would use. */
export function addConfigCommand(program: Command): void {
  addServerFlags(program.command('config'))
    .description('Show each setting, its effective value and its source; report all problems of the settings.')
    .addOption(new Option('--format <FORM>', 'Format of the output.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
A flag overrides an environment variable, a variable overrides the configuration file, and the file overrides a default.

Examples:
  thingsync config --data /srv/things
  THINGSYNC_PORT=8000 thingsync config --format json`,
    )
    .action(async (_options, command: Command) => {
      const { settings, origins } = await readCommandSettings(command)
      const values = new Map<string, unknown>(Object.entries(settings))
      const rows = settingNames.map((name) => describeSetting(name, values.get(propertyOf(name)), origins[name]))
      const isJson = command.getOptionValue('format') === 'json'
      process.stdout.write(isJson ? `${JSON.stringify(rows, undefined, 2)}\n` : printTable(rows.map(toLine)))
    })
}

function describeSetting(name: SettingName, value: unknown, from: string) {
  const { kind, default: standard, unit, sentence, isSecret } = findSetting(name)
  return {
    name,
    value: isSecret && value !== undefined ? '(not shown)' : show(value),
    from,
    flag: isSecret ? null : flagOf(name),
    environment: environmentNameOf(name),
    key: name,
    type: kind.says,
    default: standard ?? null,
    unit: unit ?? null,
    sentence,
  }
}

const show = (value: unknown): unknown =>
  typeof value === 'string' && isDatabaseUrl(value) ? hidePassword(value) : (value ?? null)

function toLine(row: ReturnType<typeof describeSetting>): Record<string, string> {
  const isEmpty = row.value === null || (Array.isArray(row.value) && row.value.length === 0)
  return {
    setting: row.name,
    value: isEmpty ? '-' : String(row.value),
    from: row.from,
    flag: row.flag ?? '-',
    environment: row.environment,
    meaning: row.sentence,
  }
}
