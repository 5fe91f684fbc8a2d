import { Command, CommanderError } from 'commander'
import { readVersion } from '../environment.ts'
import { describeFailure, type ExitCode } from '../runtime/command-errors.ts'
import { setDashedIdsApart } from './options.ts'
import { endQuietlyWithReader } from './output.ts'

type AddCommands = (program: Command) => void

const load =
  <Name extends string>(importFile: () => Promise<Readonly<Record<Name, AddCommands>>>, name: Name) =>
  async (): Promise<AddCommands> =>
    (await importFile())[name]

const backup = load(() => import('./backup-commands.ts'), 'addBackupCommands')

/** The loader of each command, in the order in which the help shows the commands. */
const loaders = {
  serve: load(() => import('./serve-command.ts'), 'addServeCommand'),
  user: load(() => import('./user-commands.ts'), 'addUserCommands'),
  app: load(() => import('./app-commands.ts'), 'addAppCommands'),
  token: load(() => import('./session-commands.ts'), 'addTokenCommands'),
  session: load(() => import('./session-commands.ts'), 'addSessionCommands'),
  delivery: load(() => import('./delivery-command.ts'), 'addDeliveryCommands'),
  backup,
  restore: backup,
  'rehearse-restore': load(() => import('./backup-commands.ts'), 'addRehearseCommand'),
  copy: load(() => import('./copy-commands.ts'), 'addCopyCommand'),
  migrate: load(() => import('./copy-commands.ts'), 'addMigrateCommand'),
  import: load(() => import('./import-command.ts'), 'addImportCommand'),
  export: load(() => import('./export-command.ts'), 'addExportCommand'),
  verify: load(() => import('./verify-commands.ts'), 'addVerifyCommand'),
  checkpoint: load(() => import('./verify-commands.ts'), 'addCheckpointCommand'),
  stats: load(() => import('./verify-commands.ts'), 'addStatsCommand'),
  status: load(() => import('./status-commands.ts'), 'addStatusCommand'),
  healthcheck: load(() => import('./status-commands.ts'), 'addHealthcheckCommand'),
  config: load(() => import('./config-command.ts'), 'addConfigCommand'),
  mcp: load(() => import('./mcp-command.ts'), 'addMcpCommand'),
}

const isCommand = (word: string | undefined): word is keyof typeof loaders =>
  word !== undefined && Object.hasOwn(loaders, word)

const versionFlags: readonly (string | undefined)[] = ['-V', '--version']

/**
 * Adds the commands of the first word of a command line, because a command spends most of its time on loading files.
 * Adds no command for the version, and all commands when the word is unknown, for the help and for suggestions.
 */
export async function loadCommands(program: Command, firstWord: string | undefined): Promise<void> {
  if (versionFlags.includes(firstWord)) return
  const meant = isCommand(firstWord) ? [loaders[firstWord]] : new Set(Object.values(loaders))
  for (const addCommands of await Promise.all([...meant].map((loadFile) => loadFile()))) addCommands(program)
}

/** Runs the command line of this process, and sets its exit code. */
export async function runProcess(): Promise<void> {
  endQuietlyWithReader()
  const exitCode = await runProgram(process.argv)
  // Not process.exit: a pipe may not have all output yet. An exit code that a failed output has set stays.
  process.exitCode ||= exitCode
}

/** Runs the command line and returns the exit code: 0 done, 1 failed, 2 wrong usage, 3 found damage. */
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

/** Creates the program without its commands. */
export function createProgram(): Command {
  return new Command('thingsync')
    .description('Syncs things (notes, bookmarks and to-dos with tags) between devices that are often offline.')
    .version(readVersion(), versionFlags.join(', '), 'Print the version.')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand('help [command]', 'Show the help of a command.')
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(toLines(text.trimEnd().replace(/^error: /, ''))) })
    .addHelpText(
      'after',
      `
Examples:
  thingsync serve                                  starts on ./data; the first start prints commands for a first sync
  thingsync serve --data /srv/things --port 8000
  thingsync user add anna --data /srv/things       asks for a password
  thingsync app add "my client" --format json
  thingsync token add backup --user anna --read-only
  thingsync backup things.ndjson.gz                writes everything to one file
  thingsync import bookmarks.html --user anna      imports from other programs; "export" is the reverse
  thingsync verify --data /srv/things              checks every file; --repair quarantines damaged files
  thingsync status                                 shows users, sizes, deliveries, recent warnings and errors
  thingsync config                                 shows each setting, its value and its source

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 is explained in the help of "verify", "stats", "import" and "rehearse-restore".`,
    )
}

/** Puts the name of the program before every line, because a log may hold lines of many programs. */
const toLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => `thingsync: ${line}\n`)
    .join('')
