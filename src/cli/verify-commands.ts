import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type DatabaseUrl, hidePassword, isDatabaseUrl } from '../config/settings-table.ts'
import { systemEnvironment } from '../environment.ts'
import { findControlDamage } from '../folder/control-channel.ts'
import { requireFolder } from '../folder/data-folder.ts'
import { ownFolder } from '../folder/own-folder.ts'
import { CommandFailed } from '../runtime/command-errors.ts'
import type { DatabaseTotals } from '../store/postgres/inspect/inspect-database.ts'
import {
  describeFiles,
  type FolderTotals,
  type FoundFile,
  type ReadFolder,
  readFolder,
  sumUpFolder,
} from '../store/tools/inspect.ts'
import { repairFolder } from '../store/tools/repair.ts'
import { addAccountOptions, addSettingFlags, readCommandSettings, runAccountOn } from './options.ts'
import { printTable, showDate } from './output.ts'

/** The result of `verify`, as it is printed in JSON. */
export interface VerifyResult {
  /** The data folder, or the URL of the database without its password. */
  readonly data: string
  /** Number of checked files, or accounts and tables. */
  readonly checked: number
  /** Number of damaged or missing ones among them. */
  readonly damaged: number
  /** The folder to which a repair moved the damaged files; null without a repair. */
  readonly kept_in: string | null
  readonly files: readonly FoundFile[]
}

/** Returns true for a file that a server cannot use. */
export const isDamaged = ({ state }: FoundFile): boolean => state === 'damaged'

/** Formats the result as lines of text. `parts` names the checked parts, for example "files". */
export function describeVerify(
  { data, checked, damaged, files, kept_in: quarantineFolder }: VerifyResult,
  parts: string,
): string {
  const lines = files
    .filter(({ state }) => state !== 'whole')
    .flatMap(({ file, state, says, repair: would }) => [
      `${state === 'note' ? 'note   ' : 'DAMAGED'} ${file}: ${says}`,
      ...(would === undefined || quarantineFolder !== null ? [] : [`        --repair would: ${would}`]),
    ])
  const sum =
    quarantineFolder === null
      ? `${checked} ${parts} checked, ${damaged} damaged`
      : `repaired; damaged files are in ${quarantineFolder}`
  return [...lines, `${data}: ${sum}`, ''].join('\n')
}

/** Creates the error for `--repair` on a database. */
export const createRepairError = (): CommandFailed =>
  new CommandFailed(
    '--repair works on data folders only; restore the database from its own backup, or change the rows that "verify" names',
  )

/** Checks every row of a database and prints the result. @throws StoreError; CommandFailed when rows are damaged */
export async function verifyDatabase(url: DatabaseUrl, print: (result: VerifyResult, text: string) => void) {
  const { inspectDatabase } = await import('../store/postgres/inspect/inspect-database.ts')
  const { checked, files } = await inspectDatabase(url)
  const result = { data: hidePassword(url), checked, damaged: files.filter(isDamaged).length, kept_in: null, files }
  print(result, describeVerify(result, 'accounts and tables'))
  if (result.damaged > 0)
    throw new CommandFailed(`database ${result.data}: ${sayCount(result.damaged)} damaged; ${advice}`, 3)
}

const sayCount = (count: number): string => (count === 1 ? '1 account or table is' : `${count} accounts or tables are`)

const advice = 'pg_amcheck and pg_checksums check its disk; restore the database from its own backup'

/** Adds `verify`: reads every file of a data folder, or every row of a database, as the server would. */
export function addVerifyCommand(program: Command): void {
  addSettingFlags(program.command('verify'), ['data', 'store'])
    .description('Check every file of a data folder, or every row of a database, whether or not servers are running.')
    .option('--repair', 'Quarantine damaged files and repair the data folder; stop the server first.')
    .addOption(new Option('--format <FORM>', 'Format of the output.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Exit codes: 0 no damage, or everything was repaired; 1 the check could not run; 2 wrong usage; 3 damage.

Examples:
  thingsync verify --data /srv/things
  thingsync verify --data /srv/things --repair
  thingsync verify --store postgres://things@db.example/things`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      if (settings.store === 'memory')
        throw new CommandFailed('the store "memory" has no files; give --data or --store of your server')
      const isRepair = command.getOptionValue('repair') === true
      const isJson = command.getOptionValue('format') === 'json'
      const print = (result: VerifyResult, text: string): void => {
        process.stdout.write(isJson ? `${JSON.stringify(result)}\n` : text)
      }
      if (isDatabaseUrl(settings.store)) {
        if (isRepair) throw createRepairError()
        return verifyDatabase(settings.store, print)
      }
      await requireFolder(settings.data)
      const result = isRepair ? await repair(settings.data) : await check(settings.data)
      print(result, describeVerify(result, 'files'))
      if (result.damaged > 0 && !isRepair) throw new CommandFailed(sayDamage(result), 3)
    })
}

const toResult = (data: string, files: readonly FoundFile[], quarantineFolder?: string): VerifyResult => ({
  data,
  checked: files.length,
  damaged: files.filter(isDamaged).length,
  kept_in: quarantineFolder ?? null,
  files,
})

async function check(data: string): Promise<VerifyResult> {
  const first = await look(data)
  if (!first.some(isDamaged)) return toResult(data, first)
  // A file that a running server replaces during the read looks damaged once, but not twice.
  await sleep(500)
  const second = await look(data)
  const isConfirmed = ({ file }: FoundFile) => first.some((one) => one.file === file && isDamaged(one))
  return toResult(
    data,
    second.filter((found) => !isDamaged(found) || isConfirmed(found)),
  )
}

async function look(data: string): Promise<readonly FoundFile[]> {
  const files = describeFiles(await readFolder(data))
  const damage = await findControlDamage(data)
  if (damage === undefined) return files
  return files.map((found) => {
    const repair = 'nothing, because it is unknown whether a server runs'
    return found.file === 'control.json' ? { ...found, state: 'damaged', says: damage, repair } : found
  })
}

async function repair(data: string): Promise<VerifyResult> {
  const onCommand = async () => ({ rejection: 'the data folder is being repaired; try again later' })
  const owned = await ownFolder(data, {
    onCommand,
    onWait: (sentence) => process.stderr.write(`thingsync: ${sentence}\n`),
  })
  if ('owner' in owned)
    throw new CommandFailed(`data folder ${data} is in use by thingsync process ${owned.owner.pid}; stop it first`)
  try {
    const { damaged, quarantineFolder } = await repairFolder(data, systemEnvironment.now())
    const files = await look(data)
    const left = files.filter(isDamaged)
    if (left.length > 0) throw new CommandFailed(sayDamage(toResult(data, left)), 3)
    return quarantineFolder === undefined ? toResult(data, files) : toResult(data, damaged, quarantineFolder)
  } finally {
    await owned.release()
  }
}

const sayDamage = ({ data, damaged }: VerifyResult): string =>
  `data folder ${data}: ${damaged} ${damaged === 1 ? 'file is' : 'files are'} damaged; the lines above say what --repair would do`

/** Adds `checkpoint`: writes everything from the journal to the files of accounts and users. */
export function addCheckpointCommand(program: Command): void {
  addAccountOptions(program.command('checkpoint'))
    .description(
      'Write everything from the journal to accounts/ and directory.json, whether or not the server is running.',
    )
    .addHelpText(
      'after',
      `
After the command, these files contain every change that the server confirmed before the command. Other programs can
read them. The server does the same when it stops, and whenever the journal has grown by 64 MiB.

Example:
  thingsync checkpoint --data /srv/things`,
    )
    .action(async (_options, command: Command) => {
      await runAccountOn(command, () => ({ name: 'checkpoint' }))
      const { settings } = await readCommandSettings(command)
      const done = isDatabaseUrl(settings.store)
        ? 'everything is in the database'
        : 'all changes are in accounts/ and directory.json'
      const isJson = command.getOptionValue('format') === 'json'
      process.stdout.write(isJson ? '{}\n' : `${done}\n`)
    })
}

/** Adds `stats`: counts the users, things and bytes of a data folder or a database. */
export function addStatsCommand(program: Command): void {
  addSettingFlags(program.command('stats'), ['data', 'store'])
    .description('Count users, things and bytes of a data folder or a database, whether or not servers are running.')
    .addOption(new Option('--format <FORM>', 'Format of the output.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Exit codes: 0 everything was counted; 1 nothing could be counted; 2 wrong usage; 3 a file is damaged or missing and was
not counted.

Example:
  thingsync stats --data /srv/things --format json`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      if (settings.store === 'memory')
        throw new CommandFailed('the store "memory" has no files; give --data or --store of your server')
      const isJson = command.getOptionValue('format') === 'json'
      const print = (totals: ShownTotals): void => {
        process.stdout.write(isJson ? `${JSON.stringify(showTotals(totals))}\n` : printTable(toRows(totals)))
      }
      if (isDatabaseUrl(settings.store)) {
        const { readTotals } = await import('../store/postgres/inspect/inspect-database.ts')
        return print(await readTotals(settings.store))
      }
      await requireFolder(settings.data)
      const read = await readSettled(settings.data)
      print(sumUpFolder(read))
      if (isLacking(read))
        throw new CommandFailed('some files could not be counted; "thingsync verify" shows the damage', 3)
    })
}

// `stats` counts nothing in this file.
const uncounted = 'format.json'

const isLacking = (read: ReadFolder): boolean =>
  describeFiles(read).some(({ file, state }) => state === 'damaged' && file !== uncounted)

/**
 * Reads a folder, again if it looks damaged: a file that a running server replaces looks damaged once, but not twice.
 */
async function readSettled(folder: string): Promise<ReadFolder> {
  const first = await readFolder(folder)
  if (!isLacking(first)) return first
  await sleep(500)
  return readFolder(folder)
}

type ShownTotals = DatabaseTotals & Partial<FolderTotals>

const showTotals = (totals: ShownTotals) => ({
  users: totals.users,
  apps: totals.apps,
  sessions: totals.sessions,
  accounts: totals.accounts,
  things: totals.things,
  deletions: totals.deletions,
  outbox_entries: totals.outboxEntries,
  bytes: totals.bytes,
  account_bytes: totals.accountBytes,
  journal_bytes: totals.journalBytes ?? null,
  journal_segments: totals.journalSegments ?? null,
  journal_writes: totals.journalWrites ?? null,
  last_checkpoint: totals.lastCheckpoint ?? null,
})

const toRows = (totals: ShownTotals): Record<string, string>[] => {
  const { last_checkpoint: _, ...numbers } = showTotals(totals)
  const rows = Object.entries(numbers).flatMap(([name, number]) => {
    if (number === null) return []
    const shown = name === 'outbox_entries' ? 'outbox entries' : name.replaceAll('_', ' ')
    return [{ name: shown, number: number.toLocaleString('en').padStart(15) }]
  })
  if (!('journalBytes' in totals)) return rows
  const { lastCheckpoint } = totals
  const checkpoint = lastCheckpoint === undefined ? 'none yet' : showDate(lastCheckpoint)
  return [...rows, { name: 'last checkpoint', number: checkpoint }]
}
