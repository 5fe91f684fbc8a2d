import { type Command, Option } from 'commander'
import { CommandFailed } from '../runtime/command-failed.ts'
import { readNames } from '../transfer/format-names.ts'
import { createImportPrinter } from './import-printer.ts'
import { runImport } from './run-import.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

/** Adds `import`: things from a file of another program, or of an export. */
export function addImportCommand(program: Command): void {
  addSettingFlags(program.command('import').argument('<FILE>'), ['data', 'store'])
    .description('Add the things of a file to those of a user, while the server runs or is stopped.')
    .requiredOption('--user <NAME>', 'Whose things they become.')
    .addOption(new Option('--format <FORMAT>', 'What the file is; guessed when it is left out.').choices(readNames))
    .option('--tag <TAG>', 'A tag that everything is given, so that it can be found.')
    .option('--dry-run', 'Say what would happen; change nothing.')
    .addOption(new Option('--report <FORM>', 'Form of the report.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
What is there already stays as it is: the same address, or the same id where the file has ids. So the same file can be
imported again, also after an import that was cut off. What cannot be read is said line by line; the rest is imported.
- reads standard input; of a folder all Markdown files are read.

Exit codes: 0 all was read, 1 nothing could be imported, 2 used in a wrong way, 3 something could not be read.

Examples:
  thingsync import bookmarks.html --user anna --dry-run
  thingsync import pocket.csv --user anna --tag imported
  thingsync import ~/notes --user anna`,
    )
    .action(async (file: string, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const user: string = command.getOptionValue('user')
      const tag: string | undefined = command.getOptionValue('tag')
      if (tag !== undefined && !/^[^\s\0]+$/u.test(tag)) throw new CommandFailed('--tag: a tag has no blanks', 2)
      const isDry = command.getOptionValue('dryRun') === true
      // Loaded here only: other commands need none of the formats.
      const { openImportFile } = await import('./open-import-file.ts')
      const opened = await openImportFile(file, command.getOptionValue('format'))
      const printer = createImportPrinter({ file, user, isDry, form: command.getOptionValue('report') })
      const begin = {
        name: 'import begin',
        user,
        ...(tag === undefined ? {} : { tag }),
        isDry,
        keepsRepetitions: opened.keepsRepetitions,
        file: opened.key,
      } as const
      printer.end(await runImport(settings, { begin, items: opened.items, ...printer }))
    })
}
