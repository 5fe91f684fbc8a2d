import type { Command } from 'commander'
import { isDatabaseUrl } from '../config/store-place.ts'
import { addAccountOptions, runAccountOn } from './account-options.ts'
import { readCommandSettings } from './setting-flags.ts'

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
