import { type Command, Option } from 'commander'
import { writeNames } from '../transfer/format-names.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

/** Adds `export`: what one user has, in a format that other programs read. */
export function addExportCommand(program: Command): void {
  addSettingFlags(program.command('export'), ['data', 'store'])
    .description('Write all things of a user to a file that other programs read, while the server runs or is stopped.')
    .requiredOption('--user <NAME>', 'Whose things.')
    .addOption(new Option('--format <FORMAT>', 'What to write.').choices(writeNames).default('json'))
    .option('--output <FILE>', 'Where to; standard output when it is left out, or -.')
    .addHelpText(
      'after',
      `
json keeps everything, settings of tags too. The others keep title, tags, date, address, note, archived and todo. With
--format markdown and a folder as --output each thing is a file of its own.

Examples:
  thingsync export --user anna --format netscape --output bookmarks.html
  thingsync export --user anna --format markdown --output notes/
  thingsync export --user anna | gzip > things.json.gz`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const user: string = command.getOptionValue('user')
      const format: string = command.getOptionValue('format')
      const output: string | undefined = command.getOptionValue('output')
      // Loaded here only: other commands need none of the formats.
      const { runExport } = await import('./run-export.ts')
      await runExport(settings, { user, format, output })
    })
}
