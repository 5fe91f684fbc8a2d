import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { hidePassword, isDatabaseUrl, readDatabaseUrl } from '../config/store-place.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import { runCopy } from './run-copy.ts'

const everyItems = 100_000

/** Adds `copy`: everything from a data folder to a database, or back. */
export function addCopyCommand(program: Command): void {
  program
    .command('copy')
    .argument('<FROM>', 'Data folder, or postgres://… address.')
    .argument('<TO>', 'The same; empty, or not there yet.')
    .description('Move everything between a data folder and a database; servers of both are stopped.')
    .addOption(new Option('--format <FORM>', 'Form of the answer.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Positions stay as they are, so that clients go on where they were. What is copied is read again and compared at the end.
FROM stays as it is: begin no server on it again, or clients would be given the same positions twice.

Example:
  thingsync copy /srv/things postgres://things@db.example/things`,
    )
    .action(async (from: string, to: string, _options, command: Command) => {
      refuseBadPlace('FROM', from)
      refuseBadPlace('TO', to)
      if (isDatabaseUrl(from) === isDatabaseUrl(to) && !isDatabaseUrl(from))
        throw new CommandFailed('a data folder is moved by the commands of the system, when its server is stopped')
      if (!isDatabaseUrl(from) && !(await isThere(from)))
        throw new CommandFailed(`FROM: there is no folder ${resolve(from)}; ${places}`)
      const { counts, sum } = await runCopy(from, to, (items) => {
        if (items % everyItems === 0) process.stderr.write(`${items.toLocaleString('en')} items copied\n`)
      })
      const isJson = command.getOptionValue('format') === 'json'
      const { user = 0, thing = 0 } = counts
      process.stdout.write(
        isJson
          ? `${JSON.stringify({ counts, sum })}\n`
          : `copied and compared: ${user.toLocaleString('en')} users, ${thing.toLocaleString('en')} things\n`,
      )
    })
}

const places = 'give a data folder, or an address like postgres://user@host/database'

/** Kinds of store, and what stands for standard input elsewhere; a folder of such a name is `./json`. */
const noPlaces = new Set(['json', 'memory', '-'])

const refuseBadPlace = (name: string, place: string): void => {
  if (noPlaces.has(place)) throw new CommandFailed(`${name}: "${place}" names no place; ${places}`, 2)
  if (!place.includes('://') || readDatabaseUrl(place) !== undefined) return
  const shown = JSON.stringify(hidePassword(place))
  throw new CommandFailed(
    `${name}: must be a folder, or an address like postgres://user@host/database, not ${shown}`,
    2,
  )
}

const isThere = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
