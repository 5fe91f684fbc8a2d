import { type Command, Option } from 'commander'
import { showSeen, showSeenJson } from '../accounts/unseen-characters.ts'
import type { AccountCommand } from '../runtime/account-commands.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import type { AccountRow } from '../runtime/command-place.ts'
import { printTable, showDate } from './print-table.ts'
import { runOnFolder } from './run-on-folder.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

/** Adds what all commands about users and apps take: the data folder and the form of the answer. */
export function addAccountOptions(command: Command): Command {
  return addSettingFlags(command, ['data', 'store']).addOption(
    new Option('--format <FORM>', 'Form of the answer on standard output.').choices(['text', 'json']).default('text'),
  )
}

/**
 * Runs a command on the data folder of the settings, whether its server runs or not.
 * @throws CommandFailed when it is refused
 */
export async function runAccountOn(
  command: Command,
  makeCommand: () => AccountCommand | Promise<AccountCommand>,
): Promise<readonly AccountRow[]> {
  const { settings } = await readCommandSettings(command)
  const asked = await makeCommand()
  const mayMake = asked.name === 'user add' || asked.name === 'app add'
  const outcome = await runOnFolder(settings, asked, { mayMake })
  if ('refused' in outcome) throw new CommandFailed(outcome.refused)
  return outcome.rows
}

/** Prints one result: as a JSON object, or as lines of text. */
export function printResult(command: Command, result: AccountRow, lines: readonly string[]): void {
  const isJson = command.getOptionValue('format') === 'json'
  process.stdout.write(isJson ? `${showSeenJson(result)}\n` : lines.map((line) => `${line}\n`).join(''))
}

/** Prints a list: as a JSON array, or as a table with dates for people; `nothing` is said when it is empty. */
export function printList(command: Command, rows: readonly AccountRow[], nothing: string): void {
  if (command.getOptionValue('format') === 'json') process.stdout.write(`${showSeenJson(rows)}\n`)
  else if (rows.length === 0) process.stderr.write(`${nothing}\n`)
  else process.stdout.write(printTable(rows.map(showRow)))
}

function showRow(row: AccountRow): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name === 'date' ? 'created' : name, showValue(value)]),
  )
}

function showValue(value: AccountRow[string]): string {
  if (value === null) return '-'
  if (typeof value === 'string') return showSeen(value)
  if (typeof value === 'number') return showDate(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value.length === 0 ? '-' : showSeen(value.join(' '))
}
