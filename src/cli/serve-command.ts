import type { Command } from 'commander'
import { CommandFailed } from './command-failed.ts'
import { guardProcess } from './guard-process.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'
import { awaitStop } from './signals.ts'

/** Adds `serve`. */
export function addServeCommand(program: Command): void {
  addSettingFlags(program.command('serve'))
    .description(
      'Start the server. Stops on SIGTERM, Ctrl-C or SIGHUP after the running requests; a second Ctrl-C stops at once.',
    )
    .addHelpText(
      'after',
      `
Examples:
  thingsync serve
  thingsync serve --data /srv/things --host 0.0.0.0 --port 8000 --base-url https://things.example/
  thingsync serve --port 0 --ready-file ready.json --no-first-run`,
    )
    .action(async (_options, command: Command) => {
      const stopAsked = awaitStop(process.env)
      const { settings, warnings } = await readCommandSettings(command)
      // Loaded here only: the server takes longer to load than the other commands take to run.
      const [{ createLog }, { runServer }] = await Promise.all([import('../log/log.ts'), import('./run-server.ts')])
      const log = createLog(settings)
      for (const warning of warnings) log.warn(warning)
      const guard = guardProcess(log)
      await runServer(settings, log, Promise.race([stopAsked, guard.endAsked]))
      if (guard.hasAskedForEnd()) throw new CommandFailed('the server ended because of a fault; the log says which')
      if ((await stopAsked) === 'SIGHUP') dieOfHangUp()
    })
}

/** A process whose terminal is gone ends by the signal that says so; by itself Node 20 would abort, and leave a core. */
function dieOfHangUp(): void {
  if (process.stdin.isTTY !== true && process.stdout.isTTY !== true) return
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}
