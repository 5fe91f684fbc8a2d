import { Command, CommanderError } from 'commander'
import { readVersion } from '../read-version.ts'
import { addAppCommands } from './app-command.ts'
import { addBackupCommands } from './backup-command.ts'
import { addCheckpointCommand } from './checkpoint-command.ts'
import { describeFailure, type ExitCode } from './command-failed.ts'
import { addConfigCommand } from './config-command.ts'
import { addCopyCommand } from './copy-command.ts'
import { addDeliveryCommands } from './delivery-command.ts'
import { addExportCommand } from './export-command.ts'
import { addHealthcheckCommand } from './healthcheck-command.ts'
import { addImportCommand } from './import-command.ts'
import { addMigrateCommand } from './migrate-command.ts'
import { addRehearseCommand } from './rehearse-command.ts'
import { addServeCommand } from './serve-command.ts'
import { addSessionCommands } from './session-command.ts'
import { addStatsCommand } from './stats-command.ts'
import { addStatusCommand } from './status-command.ts'
import { addTokenCommands } from './token-command.ts'
import { addUserCommands } from './user-command.ts'
import { addVerifyCommand } from './verify-command.ts'

/** Runs the command line and gives the exit code: 0, 1 refused or failed, 2 used in a wrong way, 3 found damage. */
export async function runProgram(argv: readonly string[]): Promise<ExitCode> {
  try {
    await createProgram().parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const failure = describeFailure(error)
    if (!failure) throw error
    for (const line of failure.text.split('\n')) process.stderr.write(`thingsync: ${line}\n`)
    return failure.exitCode
  }
}

function createProgram(): Command {
  const program = new Command('thingsync')
    .description('Keeps things (notes and bookmarks with tags) in step across devices that are often offline.')
    .version(readVersion())
    .exitOverride()
    .showSuggestionAfterError()
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
  addServeCommand(program)
  addUserCommands(program)
  addAppCommands(program)
  addTokenCommands(program)
  addSessionCommands(program)
  addDeliveryCommands(program)
  addBackupCommands(program)
  addRehearseCommand(program)
  addCopyCommand(program)
  addMigrateCommand(program)
  addImportCommand(program)
  addExportCommand(program)
  addVerifyCommand(program)
  addCheckpointCommand(program)
  addStatsCommand(program)
  addStatusCommand(program)
  addHealthcheckCommand(program)
  addConfigCommand(program)
  return program
}
