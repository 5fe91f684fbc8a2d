import { Command, CommanderError } from 'commander'
import { readVersion } from '../read-version.ts'
import { describeFailure, type ExitCode } from '../runtime/command-failed.ts'
import { setDashedIdsApart } from './dashed-ids.ts'
import { loadCommands } from './load-commands.ts'

/** Runs the command line and gives the exit code: 0, 1 refused or failed, 2 used in a wrong way, 3 found damage. */
export async function runProgram(argv: readonly string[]): Promise<ExitCode> {
  try {
    const program = createProgram()
    await loadCommands(program, argv[2])
    await program.parseAsync(setDashedIdsApart(argv))
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const failure = describeFailure(error)
    if (!failure) throw error
    process.stderr.write(toLines(failure.text))
    return failure.exitCode
  }
}

function createProgram(): Command {
  return new Command('thingsync')
    .description('Keeps things (notes and bookmarks with tags) in step across devices that are often offline.')
    .version(readVersion())
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(toLines(text.trimEnd().replace(/^error: /, ''))) })
    .addHelpText(
      'after',
      `
Examples:
  thingsync serve                                  start on ./data; the first start prints a first sync to paste
  thingsync serve --data /srv/things --port 8000
  thingsync user add anna --data /srv/things       asks for a password
  thingsync app add "my client" --format json
  thingsync token add backup --user anna --read-only
  thingsync backup things.ndjson.gz                everything in one file, while the server runs or is stopped
  thingsync import bookmarks.html --user anna      things from other programs; "export" writes them
  thingsync verify --data /srv/things              checks every file; --repair keeps what is damaged aside
  thingsync status                                 who, how much, what waits, what went wrong lately
  thingsync config                                 every setting, its value and where it comes from

Exit codes: 0 done, 1 refused or failed, 2 used in a wrong way, 3 "verify" or "stats" found damage, "import" could not
read something, or "rehearse-restore" missed something.`,
    )
}

/** Every line says who speaks, because a log may hold lines of many programs. */
const toLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => `thingsync: ${line}\n`)
    .join('')
