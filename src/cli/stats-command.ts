import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { isDatabaseUrl } from '../config/store-place.ts'
import { requireFolder } from '../folder/make-folder.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import type { DatabaseTotals } from '../store/postgres/inspect/read-totals.ts'
import { describeFiles } from '../store/tools/inspect/describe-files.ts'
import { type FolderTotals, sumUpFolder } from '../store/tools/inspect/folder-totals.ts'
import { type ReadFolder, readFolder } from '../store/tools/inspect/read-folder.ts'
import { printTable, showDate } from './print-table.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

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
        const { readTotals } = await import('../store/postgres/inspect/read-totals.ts')
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
