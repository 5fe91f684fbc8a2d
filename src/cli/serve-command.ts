import type { Command } from 'commander'
import { systemEnvironment } from '../environment.ts'
import { createRecentLines } from '../log/log.ts'
import { CommandFailed, describeFailure } from '../runtime/command-errors.ts'
import { guardProcess, hasTerminal, watchSignals } from '../runtime/process-events.ts'
import { addServerFlags, readCommandSettings } from './options.ts'

/** Adds `serve`: runs the server until a signal stops it. */
export function addServeCommand(program: Command): void {
  addServerFlags(program.command('serve'))
    .description(
      'Start the server. SIGTERM or Ctrl-C stops it when its running requests have ended; a second Ctrl-C stops it at once.',
    )
    .addHelpText(
      'after',
      `
SIGHUP also stops the server, with one exception: with --tls-cert and without a terminal, the server reads the certificate again.

Examples:
  thingsync serve
  thingsync serve --data /srv/things --host 0.0.0.0 --port 8000 --base-url https://things.example/
  thingsync serve --socket /run/thingsync/thingsync.sock --base-url https://things.example/
  thingsync serve --host 0.0.0.0 --port 443 --tls-cert chain.pem --tls-key key.pem --base-url https://things.example/
  thingsync serve --port 0 --ready-file ready.json --no-first-run`,
    )
    .action(async (_options, command: Command) => {
      const { stopRequested, reloadOnHangUp } = watchSignals(process.env)
      const { settings, warnings } = await readCommandSettings(command)
      // Loaded here only: the server takes longer to load than the other commands take to run.
      const [{ createLog }, { runServer }] = await Promise.all([
        import('../log/log.ts'),
        import('../runtime/run-server.ts'),
      ])
      const recent = createRecentLines(systemEnvironment.now)
      const log = await createLog(settings, recent.note)
      for (const warning of warnings) log.warn(warning)
      const guard = guardProcess(log)
      const stop = Promise.race([stopRequested, guard.endRequested])
      const ended = new CommandFailed('the server ended because of an internal error; see its log')
      await runServer(settings, log, { stopRequested: stop, reloadOnHangUp, recent }).catch((error: unknown) => {
        if (describeFailure(error) !== undefined) throw error
        // The guard would only log it. Then the process would end with exit code 0, and no supervisor would start it
        // again.
        log.fatal({ err: error }, 'an internal error; the server ends')
        throw ended
      })
      if (guard.hasRequestedEnd()) throw ended
      if ((await stopRequested) === 'SIGHUP') dieOfHangUp()
    })
}

/** Ends a process whose terminal was closed by SIGHUP itself: Node 20 would abort without a terminal, and dump core. */
function dieOfHangUp(): void {
  if (!hasTerminal()) return
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}
