import type { Command } from 'commander'
import { addAccountOptions, printList, printResult, runAccountOn } from './account-options.ts'

/** Adds `app add`, `app list` and `app remove`: the registration of applications (interface 1). */
export function addAppCommands(program: Command): void {
  const app = program.command('app').description('Applications that may ask for tokens: add, list, remove.')
  app.addHelpText('after', '\nExamples:\n  thingsync app add "my client"\n  thingsync app list --data /srv/things')

  addAccountOptions(app.command('add').argument('<NAME>'))
    .description('Register an app; prints its client id and secret, the secret only this once.')
    .addHelpText('after', '\nExample:\n  thingsync app add "my client" --data /srv/things --format json')
    .action(async (name: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'app add', app: name }))
      const lines = [`app ${name} added`, `client id: ${row?.client_id}`, `client secret: ${row?.client_secret}`]
      printResult(command, { ...row }, lines)
    })

  addAccountOptions(app.command('list'))
    .description('List all apps, without their secrets.')
    .addHelpText('after', '\nExample:\n  thingsync app list')
    .action(async (_options, command: Command) => {
      const rows = await runAccountOn(command, () => ({ name: 'app list' }))
      printList(command, rows, 'no apps; register one with: thingsync app add NAME')
    })

  addAccountOptions(app.command('remove').argument('<CLIENT_ID>'))
    .description('Remove an app and end all its sessions.')
    .addHelpText('after', '\nExample:\n  thingsync app remove 3kTSh0Yx2mLw8QdR5uVa')
    .action(async (clientId: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'app remove', clientId }))
      printResult(command, { ...row }, [`app ${clientId} removed`])
    })
}
