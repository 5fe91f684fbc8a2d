import { type Command, Option } from 'commander'
import { showSeen, showSeenJson } from '../accounts/unseen-characters.ts'
import { isDatabaseUrl } from '../config/store-place.ts'
import { describeStatus, type Status } from '../runtime/describe-status.ts'
import { systemWorld } from '../world.ts'
import { printTable, showDate } from './print-table.ts'
import { type FolderSettings, runInOwner, useOwnerOrStore } from './run-on-folder.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

/** Adds `status`: who, how much, what waits, what went wrong lately. */
export function addStatusCommand(program: Command): void {
  addSettingFlags(program.command('status'), ['data', 'store'])
    .description('Show how the server is: who uses it, how much, what waits, what went wrong lately.')
    .addOption(new Option('--format <FORM>', 'Form of the answer.').choices(['text', 'json']).default('text'))
    .option('--json', 'The same as --format json.')
    .addHelpText('after', '\nExample:\n  thingsync status --data /srv/things')
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const status = await ask(settings)
      const isJson = command.getOptionValue('json') === true || command.getOptionValue('format') === 'json'
      const isDatabase = isDatabaseUrl(settings.store)
      process.stdout.write(isJson ? `${showSeenJson(status)}\n` : showStatus(status, isDatabase))
    })
}

const ask = (settings: FolderSettings): Promise<Status> =>
  useOwnerOrStore(settings, {
    useOwner: () => runInOwner<Status>(settings.data, { name: 'status' }),
    useStore: (store) => {
      const folder = isDatabaseUrl(settings.store) ? undefined : settings.data
      return describeStatus({ store, world: systemWorld, folder }, null)
    },
  })

const show = (number: number): string => number.toLocaleString('en')
const showTime = (seconds: number | null): string => (seconds === null ? '-' : showDate(seconds))

function showStatus(status: Status, isDatabase: boolean): string {
  const { server, users, people, waiting } = status
  // Of the servers on a database each has its own, which `--metrics-port` shows.
  const ofFolder = [
    ['accounts in memory', show(status.accounts_in_memory)],
    ['journal', status.journal_bytes === null ? '-' : `${show(status.journal_bytes)} bytes`],
    ['free on the disk', status.free_bytes === null ? '-' : `${show(status.free_bytes)} bytes`],
  ]
  const ofServer = server === null ? [['server', 'does not run']] : describeServer(server)
  const rows = [
    ...(isDatabase ? [] : ofServer),
    ['users', `${show(users.all)}, ${show(users.admins)} admins, ${show(users.disabled)} disabled`],
    ['seen within a day', show(users.seen_today)],
    ['apps', show(status.apps)],
    ...(isDatabase ? [] : ofFolder),
    [
      'still to be told',
      `${show(waiting.errands)}, ${show(waiting.due)} due, the oldest since ${showTime(waiting.oldest_due)}`,
    ],
  ]
  const table = printTable(rows.map(([what = '', is = '']) => ({ what, is: showSeen(is) })))
  const seen = people.map(({ user, sessions, last_used: at, things, bytes, tags }) => ({
    user: showSeen(user),
    sessions: show(sessions),
    last_used: showTime(at),
    things: things === null ? '-' : show(things),
    bytes: bytes === null ? '-' : show(bytes),
    tags: tags === null ? '-' : show(tags),
  }))
  const lines = server?.lately.map(({ at, level, message }) => `${showDate(at)} ${level} ${showSeen(message)}\n`) ?? []
  const lately =
    server === null ? '' : `\nlately: ${lines.length === 0 ? 'nothing went wrong\n' : `\n${lines.join('')}`}`
  return `${table}${seen.length === 0 ? '' : `\n${printTable(seen)}`}${lately}`
}

function describeServer(server: NonNullable<Status['server']>): string[][] {
  const { version, pid, started, base_url: baseUrl, address = '-', backup } = server
  return [
    ['server', `version ${version}, process ${pid}, since ${showDate(started)}`],
    ['base address', `${baseUrl} (${address})`],
    ['last backup', backup === null ? 'none on a schedule' : describeBackup(backup)],
  ]
}

const describeBackup = ({ last, next, problem }: NonNullable<NonNullable<Status['server']>['backup']>): string =>
  `${showTime(last)}, the next ${showTime(next)}${problem === null ? '' : `; the newest try failed: ${problem}`}`
