import type { Command } from 'commander'
import { isDatabaseUrl } from '../config/store-place.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

/** Adds `migrate`: the schema of a database is brought to that of this program. */
export function addMigrateCommand(program: Command): void {
  addSettingFlags(program.command('migrate'), ['store'])
    .description('Bring the schema of a database to that of this program, while servers run. Goes forward only.')
    .option('--dry-run', 'Try it, take it back, and say what would be done.')
    .addHelpText('after', '\nExample:\n  thingsync migrate --store postgres://things@db.example/things --dry-run')
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const { store } = settings
      if (!isDatabaseUrl(store)) throw new CommandFailed('only a database has a schema: --store postgres://…')
      const isDryRun = command.getOptionValue('dryRun') === true
      const [{ withDatabase }, { migrate }] = await Promise.all([
        import('../store/postgres/open-postgres.ts'),
        import('../store/postgres/migrate.ts'),
      ])
      const applied = await withDatabase(store, (connection) => migrate(connection, { isDryRun }))
      const names = applied.map(({ version, name }) => `${version} (${name})`).join(', ')
      const done = isDryRun ? 'would be applied' : 'applied'
      process.stdout.write(applied.length === 0 ? 'nothing to do\n' : `${done}: ${names}\n`)
    })
}
