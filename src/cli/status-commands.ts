import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { type Command, Option } from 'commander'
import { formatVisibleJson, maskInvisible } from '../accounts/names.ts'
import type { Settings } from '../config/settings-table.ts'
import { isDatabaseUrl } from '../config/settings-table.ts'
import { systemEnvironment } from '../environment.ts'
import { CommandFailed } from '../runtime/command-errors.ts'
import { describeStatus, type Status } from '../runtime/server-status.ts'
import { addSettingFlags, type FlagSentences, readCommandSettings } from './options.ts'
import { printTable, showDate } from './output.ts'
import { type FolderSettings, runInOwner, useOwnerOrStore } from './run-command.ts'

/** Adds `status`: shows users, sizes, waiting deliveries, and recent warnings and errors. */
export function addStatusCommand(program: Command): void {
  addSettingFlags(program.command('status'), ['data', 'store'])
    .description('Show the state of the server: users, sizes, waiting deliveries, recent warnings and errors.')
    .addOption(new Option('--format <FORM>', 'Format of the output.').choices(['text', 'json']).default('text'))
    .option('--json', 'The same as --format json.')
    .addHelpText('after', '\nExample:\n  thingsync status --data /srv/things')
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const status = await readStatus(settings)
      const isJson = command.getOptionValue('json') === true || command.getOptionValue('format') === 'json'
      const isDatabase = isDatabaseUrl(settings.store)
      process.stdout.write(isJson ? `${formatVisibleJson(status)}\n` : showStatus(status, isDatabase))
    })
}

const readStatus = (settings: FolderSettings): Promise<Status> =>
  useOwnerOrStore(settings, {
    useOwner: () => runInOwner<Status>(settings.data, { name: 'status' }),
    useStore: (store) => {
      const folder = isDatabaseUrl(settings.store) ? undefined : settings.data
      return describeStatus({ store, environment: systemEnvironment, folder }, null)
    },
  })

const show = (number: number): string => number.toLocaleString('en')
const showTime = (seconds: number | null): string => (seconds === null ? '-' : showDate(seconds))

function showStatus(status: Status, isDatabase: boolean): string {
  const { server, users, by_user: byUser, waiting } = status
  // Each server on a database has its own values, which `--metrics-port` shows.
  const ofFolder = [
    ['accounts in memory', show(status.accounts_in_memory)],
    ['journal', status.journal_bytes === null ? '-' : `${show(status.journal_bytes)} bytes`],
    ['free on the disk', status.free_bytes === null ? '-' : `${show(status.free_bytes)} bytes`],
  ]
  const ofServer = server === null ? [['server', 'not running']] : describeServer(server)
  const rows = [
    ...(isDatabase ? [] : ofServer),
    ['users', `${show(users.all)} (administrators: ${show(users.admins)}, disabled: ${show(users.disabled)})`],
    ['seen within a day', show(users.seen_today)],
    ['apps', show(status.apps)],
    ...(isDatabase ? [] : ofFolder),
    [
      'waiting deliveries',
      `${show(waiting.outbox_entries)}, ${show(waiting.due)} due${waiting.oldest_due === null ? '' : `, the oldest since ${showDate(waiting.oldest_due)}`}`,
    ],
  ]
  const table = printTable(rows.map(([name = '', value = '']) => ({ name, value: maskInvisible(value) })))
  const seen = byUser.map(({ user, sessions, last_used: at, things, bytes, tags }) => ({
    user: maskInvisible(user),
    sessions: show(sessions),
    last_used: showTime(at),
    things: things === null ? '-' : show(things),
    bytes: bytes === null ? '-' : show(bytes),
    tags: tags === null ? '-' : show(tags),
  }))
  const lines =
    server?.recent.map(({ at, level, message }) => `${showDate(at)} ${level} ${maskInvisible(message)}\n`) ?? []
  const recent =
    server === null ? '' : `\nrecent warnings and errors: ${lines.length === 0 ? 'none\n' : `\n${lines.join('')}`}`
  return `${table}${seen.length === 0 ? '' : `\n${printTable(seen)}`}${recent}`
}

function describeServer(server: NonNullable<Status['server']>): string[][] {
  const { version, pid, started, base_url: baseUrl, address = '-', backup } = server
  return [
    ['server', `version ${version}, process ${pid}, since ${showDate(started)}`],
    ['base URL', `${baseUrl} (${address})`],
    ['last backup', backup === null ? 'none on a schedule' : describeBackup(backup)],
  ]
}

const describeBackup = ({ last, next, problem }: NonNullable<NonNullable<Status['server']>['backup']>): string =>
  `${showTime(last)}, the next ${showTime(next)}${problem === null ? '' : `; the last attempt failed: ${problem}`}`

const healthTimeoutMilliseconds = 5_000

/** A check opens no port and no file of the certificate: these settings tell it where and how to connect. */
const healthcheckSentences: FlagSentences = {
  data: 'Data folder with the configuration file that may hold the other settings; nothing else is read from it.',
  host: 'Address on which the server listens; for 0.0.0.0 the command connects to 127.0.0.1.',
  port: 'Port on which the server listens.',
  socket: 'Unix socket on which the server listens, instead of host and port.',
  tls_cert: 'Certificate of the server. With it the command uses HTTPS; it does not check the certificate.',
  tls_key: 'Private key of the server; --tls-cert needs it, but the command does not read it.',
  base_url: 'Base URL of the server; --socket needs it, but the command does not connect to it.',
}

/** Adds `healthcheck`: sends a request to the server that the settings describe, as a client would. */
export function addHealthcheckCommand(program: Command): void {
  addSettingFlags(
    program.command('healthcheck'),
    ['data', 'host', 'port', 'socket', 'tls_cert', 'tls_key', 'base_url'],
    healthcheckSentences,
  )
    .description('Check that the server responds, for example in a container.')
    .option('--ready', 'Also check that the store accepts writes; the check writes a small file.')
    .addHelpText(
      'after',
      `
The command connects to the host and port, or to the socket, of these settings.

In a Dockerfile, write: HEALTHCHECK CMD ["thingsync", "healthcheck"]

Exit codes: 0 the server responds; 1 it does not respond; 2 wrong usage.

Example:
  thingsync healthcheck --port 8000`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      await checkHealth(settings, command.getOptionValue('ready') === true ? '/readyz' : '/healthz')
      process.stdout.write('healthy\n')
    })
}

async function checkHealth(settings: Settings, path: string): Promise<void> {
  const { location, options } = findLocation(settings)
  const open = settings.tlsCert === undefined ? request : requestTls
  // The request stays on this machine, and a wrong certificate does not make a server unhealthy.
  const sent = open({ ...options, path, agent: false, rejectUnauthorized: false })
  sent.setTimeout(healthTimeoutMilliseconds, () =>
    sent.destroy(new Error(`no response within ${healthTimeoutMilliseconds / 1000} s`)),
  )
  sent.end()
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    if (response.statusCode !== 200) throw new Error(`${path} responds with status ${response.statusCode}`)
  } catch (error) {
    if (error instanceof Error) throw new CommandFailed(`not healthy: ${location}: ${error.message}`)
    throw error
  }
}

/** The loopback address of each wildcard address: a client cannot connect to a wildcard address. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function findLocation({ host, port, socket }: Settings): { readonly location: string; readonly options: object } {
  if (socket !== undefined) return { location: socket, options: { socketPath: socket } }
  if (port === 0)
    throw new CommandFailed('port 0 selects a new port at each start; give the port of the server with --port')
  const reachable = loopbackOf[host] ?? host
  return { location: `${reachable} port ${port}`, options: { host: reachable, port } }
}
