import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { request as requestTls } from 'node:https'
import type { Command } from 'commander'
import type { Settings } from '../config/settings-table.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

const patienceMilliseconds = 5_000

/** Adds `healthcheck`: asks the server that the settings describe, by the way that clients come. */
export function addHealthcheckCommand(program: Command): void {
  addSettingFlags(program.command('healthcheck'), ['data', 'host', 'port', 'socket', 'tls_cert', 'tls_key', 'base_url'])
    .description('Ask the server whether it answers; for containers. Exit code 0: it does, 1: it does not.')
    .option('--ready', 'Ask whether the store could take a write, too; writes a small file.')
    .addHelpText(
      'after',
      `
It is asked where these settings say that it listens: host and port, or the socket.

Examples:
  thingsync healthcheck
  HEALTHCHECK CMD ["thingsync", "healthcheck"]     in a Dockerfile`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      await checkHealth(settings, command.getOptionValue('ready') === true ? '/readyz' : '/healthz')
      process.stdout.write('healthy\n')
    })
}

async function checkHealth(settings: Settings, path: string): Promise<void> {
  const { place, options } = findPlace(settings)
  const open = settings.tlsCert === undefined ? request : requestTls
  // Whose certificate it is says nothing about health; it is the own machine that is asked.
  const asked = open({ ...options, path, agent: false, rejectUnauthorized: false })
  asked.setTimeout(patienceMilliseconds, () =>
    asked.destroy(new Error(`no answer in ${patienceMilliseconds / 1000} s`)),
  )
  asked.end()
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    if (answer.statusCode !== 200) throw new Error(`${path} is answered ${answer.statusCode}`)
  } catch (error) {
    if (error instanceof Error) throw new CommandFailed(`not healthy: ${place}: ${error.message}`)
    throw error
  }
}

/** An address on which a server listens for all is no address to ask. */
const anywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function findPlace({ host, port, socket }: Settings): { readonly place: string; readonly options: object } {
  if (socket !== undefined) return { place: socket, options: { socketPath: socket } }
  if (port === 0) throw new CommandFailed('port 0 is another one at each start; name the one to ask with --port')
  const asked = anywhere[host] ?? host
  return { place: `${asked} port ${port}`, options: { host: asked, port } }
}
