import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type DatabaseUrl, hidePassword, isDatabaseUrl } from '../config/setting-kinds.ts'
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

/** What `verify` answers. */
export interface VerifyResult {
  /** The data folder, or the address of the database without its password. */
  readonly data: string
  /** How many files were read, or accounts and tables, and how many of them are damaged or missing. */
  readonly checked: number
  readonly damaged: number
  /** Where a repair kept what was damaged. */
  readonly kept_in: string | null
  readonly files: readonly FoundFile[]
}

/** True for what a server cannot use. */
export const isDamaged = ({ state }: FoundFile): boolean => state === 'damaged'

/** The answer as lines for people. `parts` are what was checked. */
export function describeVerify(
  { data, checked, damaged, files, kept_in: keptIn }: VerifyResult,
  parts: string,
): string {
  const lines = files
    .filter(({ state }) => state !== 'whole')
    .flatMap(({ file, state, says, repair: would }) => [
      `${state === 'note' ? 'note   ' : 'DAMAGED'} ${file}: ${says}`,
      ...(would === undefined || keptIn !== null ? [] : [`        --repair would: ${would}`]),
    ])
  const sum = keptIn === null ? `${checked} ${parts} checked, ${damaged} damaged` : `repaired; kept aside in ${keptIn}`
  return [...lines, `${data}: ${sum}`, ''].join('\n')
}

/** Says that a database is not repaired here. */
export const refuseRepair = (): CommandFailed =>
  new CommandFailed(
    'a database is repaired by its own tools: restore it from its own backup, or change the rows that "verify" names; --repair is for data folders',
  )

/** Checks every row of a database, prints the answer, and gives it. @throws StoreFailed */
export async function verifyDatabase(url: DatabaseUrl, print: (result: VerifyResult, text: string) => void) {
  const { inspectDatabase } = await import('../store/postgres/inspect/inspect-database.ts')
  const { checked, files } = await inspectDatabase(url)
  const result = { data: hidePassword(url), checked, damaged: files.filter(isDamaged).length, kept_in: null, files }
  print(result, describeVerify(result, 'accounts and tables'))
  if (result.damaged > 0)
    throw new CommandFailed(`database ${result.data}: ${sayCount(result.damaged)} damaged; ${advice}`, 3)
}

const sayCount = (count: number): string => (count === 1 ? '1 account or table is' : `${count} accounts or tables are`)

const advice = 'pg_amcheck and pg_checksums look whether its disk is to blame; restore it from its own backup'

/** Adds `verify`: every file of a data folder, or row of a database, is read as the server would read it. */
export function addVerifyCommand(program: Command): void {
  addSettingFlags(program.command('verify'), ['data', 'store'])
    .description(
      'Check every file of a data folder, or row of a database, while servers run or are stopped. Changes nothing by itself.',
    )
    .option('--repair', 'Keep what is damaged aside and make a folder whole again; the server must be stopped.')
    .addOption(new Option('--format <FORM>', 'Form of the answer.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Exit codes: 0 all is whole (or was made so), 1 the check could not be made, 2 used in a wrong way, 3 damage.

Examples:
  thingsync verify --data /srv/things
  thingsync verify --data /srv/things --repair
  thingsync verify --store postgres://things@db.example/things`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      if (settings.store === 'memory') throw new CommandFailed('the store "memory" keeps no files')
      const isRepair = command.getOptionValue('repair') === true
      const isJson = command.getOptionValue('format') === 'json'
      const print = (result: VerifyResult, text: string): void => {
        process.stdout.write(isJson ? `${JSON.stringify(result)}\n` : text)
      }
      if (isDatabaseUrl(settings.store)) {
        if (isRepair) throw refuseRepair()
        return verifyDatabase(settings.store, print)
      }
      await requireFolder(settings.data)
      const result = isRepair ? await repair(settings.data) : await check(settings.data)
      print(result, describeVerify(result, 'files'))
      if (result.damaged > 0 && !isRepair) throw new CommandFailed(sayDamage(result), 3)
    })
}

const toResult = (data: string, files: readonly FoundFile[], keptIn?: string): VerifyResult => ({
  data,
  checked: files.length,
  damaged: files.filter(isDamaged).length,
  kept_in: keptIn ?? null,
  files,
})

async function check(data: string): Promise<VerifyResult> {
  const first = await look(data)
  if (!first.some(isDamaged)) return toResult(data, first)
  // A file that a running server removed or replaced while it was read only looks damaged, and not twice.
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
    const repair = 'nothing, because it cannot be told whether a server runs'
    return found.file === 'control.json' ? { ...found, state: 'damaged', says: damage, repair } : found
  })
}

async function repair(data: string): Promise<VerifyResult> {
  const onCommand = async () => ({ refused: 'the data folder is being repaired; try again later' })
  const owned = await ownFolder(data, {
    onCommand,
    onWait: (sentence) => process.stderr.write(`thingsync: ${sentence}\n`),
  })
  if ('owner' in owned)
    throw new CommandFailed(`data folder ${data} is in use by thingsync process ${owned.owner.pid}; stop it first`)
  try {
    const { damaged, keptIn } = await repairFolder(data, systemEnvironment.now())
    const files = await look(data)
    const left = files.filter(isDamaged)
    if (left.length > 0) throw new CommandFailed(sayDamage(toResult(data, left)), 3)
    return keptIn === undefined ? toResult(data, files) : toResult(data, damaged, keptIn)
  } finally {
    await owned.release()
  }
}

const sayDamage = ({ data, damaged }: VerifyResult): string =>
  `data folder ${data}: ${damaged} ${damaged === 1 ? 'file is' : 'files are'} damaged; --repair says above what it would do`

/** Adds `checkpoint`: everything is brought from the journal into the files of accounts and of users. */
export function addCheckpointCommand(program: Command): void {
  addAccountOptions(program.command('checkpoint'))
    .description(
      'Bring everything from the journal into accounts/ and directory.json, while the server runs or is stopped.',
    )
    .addHelpText(
      'after',
      `
Then these files hold all that was answered before the command, for people and programs that read them. The server does
so by itself when it is stopped, and whenever the journal has grown by 64 MiB.

Example:
  thingsync checkpoint --data /srv/things`,
    )
    .action(async (_options, command: Command) => {
      await runAccountOn(command, () => ({ name: 'checkpoint' }))
      const { settings } = await readCommandSettings(command)
      const done = isDatabaseUrl(settings.store) ? 'everything is in the database' : 'everything stands in plain files'
      const isJson = command.getOptionValue('format') === 'json'
      process.stdout.write(isJson ? '{}\n' : `${done}\n`)
    })
}

/** Adds `stats`: how much a data folder holds. */
export function addStatsCommand(program: Command): void {
  addSettingFlags(program.command('stats'), ['data', 'store'])
    .description('Count users, things and bytes of a data folder or a database, while servers run or are stopped.')
    .addOption(new Option('--format <FORM>', 'Form of the answer.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Exit codes: 0 all is counted, 1 nothing could be counted, 2 used in a wrong way, 3 something is damaged or missing and
not counted.

Example:
  thingsync stats --data /srv/things --format json`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      if (settings.store === 'memory') throw new CommandFailed('the store "memory" keeps no files')
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
        throw new CommandFailed('not all could be counted; "thingsync verify" says what is damaged', 3)
    })
}

// Nothing is counted from it.
const uncounted = 'format.json'

const isLacking = (read: ReadFolder): boolean =>
  describeFiles(read).some(({ file, state }) => state === 'damaged' && file !== uncounted)

/** A file that a running server removed or replaced while it was read only looks damaged, and not twice. */
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
  errands: totals.errands,
  bytes: totals.bytes,
  account_bytes: totals.accountBytes,
  journal_bytes: totals.journalBytes ?? null,
  journal_segments: totals.journalSegments ?? null,
  journal_writes: totals.journalWrites ?? null,
  last_checkpoint: totals.lastCheckpoint ?? null,
})

const toRows = (totals: ShownTotals): Record<string, string>[] => {
  const { last_checkpoint: _, ...numbers } = showTotals(totals)
  const rows = Object.entries(numbers).flatMap(([name, number]) =>
    number === null ? [] : [{ what: name.replaceAll('_', ' '), number: number.toLocaleString('en').padStart(15) }],
  )
  if (!('journalBytes' in totals)) return rows
  const { lastCheckpoint } = totals
  const checkpoint = lastCheckpoint === undefined ? 'none yet' : showDate(lastCheckpoint)
  return [...rows, { what: 'last checkpoint', number: checkpoint }]
}
