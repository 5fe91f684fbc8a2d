import type { Command } from 'commander'
import { CommandFailed } from './command-failed.ts'
import { guardProcess } from './guard-process.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'
import { awaitStopSignal } from './signals.ts'

/** Adds `serve`. */
export function addServeCommand(program: Command): void {
  addSettingFlags(program.command('serve'))
    .description('Start the server. Stops on SIGTERM or Ctrl-C after the running requests; a second one stops at once.')
    .addHelpText(
      'after',
      `
Examples:
  thingsync serve
  thingsync serve --data /srv/things --host 0.0.0.0 --port 8000 --base-url https://things.example/
  thingsync serve --port 0 --ready-file ready.json --no-first-run`,
    )
    .action(async (_options, command: Command) => {
      const stopSignal = awaitStopSignal()
      const { settings } = await readCommandSettings(command)
      // Loaded here only: the server takes longer to load than the other commands take to run.
      const [{ createLog }, { runServer }] = await Promise.all([import('../log/log.ts'), import('./run-server.ts')])
      const log = createLog(settings)
      const guard = guardProcess(log)
      await runServer(settings, log, Promise.race([stopSignal, guard.endAsked]))
      if (guard.hasAskedForEnd()) throw new CommandFailed('the server ended because of a fault; the log says which')
    })
}
