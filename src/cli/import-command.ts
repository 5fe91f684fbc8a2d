import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { showSeen } from '../accounts/unseen-characters.ts'
import { guessFormat, readFormats } from '../transfer/formats.ts'
import type { ReadFormat } from '../transfer/transfer.ts'
import { CommandFailed } from './command-failed.ts'
import { createImportPrinter } from './import-printer.ts'
import { runImport } from './run-import.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'
import { readTextFile } from './text-file.ts'

/** Adds `import`: things from a file of another program, or of an export. */
export function addImportCommand(program: Command): void {
  addSettingFlags(program.command('import').argument('<FILE>'), ['data'])
    .description('Add the things of a file to those of a user, while the server runs or is stopped.')
    .requiredOption('--user <NAME>', 'Whose things they become.')
    .addOption(
      new Option('--format <FORMAT>', 'What the file is; guessed when it is left out.').choices(
        readFormats.map(({ name }) => name),
      ),
    )
    .option('--tag <TAG>', 'A tag that everything is given, so that it can be found.')
    .option('--dry-run', 'Say what would happen; change nothing.')
    .addOption(new Option('--report <FORM>', 'Form of the report.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
What is there already stays as it is: the same address, or the same id where the file has ids. So the same file can be
imported again, also after an import that was cut off. What cannot be read is said line by line; the rest is imported.
- reads standard input.

Exit codes: 0 all was read, 1 nothing could be imported, 2 used in a wrong way, 3 something could not be read.

Examples:
  thingsync import bookmarks.html --user anna --dry-run
  thingsync import pocket.csv --user anna --tag imported`,
    )
    .action(async (file: string, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const user: string = command.getOptionValue('user')
      const tag: string | undefined = command.getOptionValue('tag')
      if (tag !== undefined && !/^[^\s\0]+$/u.test(tag)) throw new CommandFailed('--tag: a tag has no blanks', 2)
      const isDry = command.getOptionValue('dryRun') === true
      const opened = await openFile(file, command.getOptionValue('format'))
      const printer = createImportPrinter({ file, user, isDry, form: command.getOptionValue('report') })
      const begin = {
        name: 'import begin',
        user,
        ...(tag === undefined ? {} : { tag }),
        isDry,
        keepsRepetitions: opened.format.keepsRepetitions,
        file: opened.key,
      } as const
      const items = opened.format.read(opened.chunks)
      printer.end(await runImport(settings, { begin, items, ...printer }))
    })
}

const headCharacters = 4096

/** The text of a file, its format, and a key by which it is known again. */
async function openFile(file: string, formatName: string | undefined) {
  const path = file === '-' ? file : resolve(file)
  const text = readTextFile(path)
  let head = ''
  while (head.length < headCharacters) {
    const { value, done } = await text.next()
    if (done) break
    head += value
  }
  const format = findFormat(head.slice(0, headCharacters), file, formatName)
  const key = createHash('sha256')
    .update(`${format.name}\n${head.slice(0, headCharacters)}`)
    .digest('hex')
  return { format, key, chunks: putBack(head, text) }
}

function findFormat(head: string, file: string, name: string | undefined): ReadFormat {
  const format = name === undefined ? guessFormat(head, basename(file)) : readFormats.find((each) => each.name === name)
  if (format !== undefined) return format
  const names = readFormats.map((each) => each.name).join(', ')
  throw new CommandFailed(`${showSeen(file)} is in no format that is known; say which with --format: ${names}`)
}

async function* putBack(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield head
  yield* rest
}
