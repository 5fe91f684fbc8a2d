import type { Command } from 'commander'
import { CommandFailed } from '../runtime/command-errors.ts'
import { addAccountOptions, printList, printResult, runAccountOn } from './options.ts'

/** Adds `app add`, `list`, `change`, `rotate-secret` and `remove`: the registration of applications (interface 1). */
export function addAppCommands(program: Command): void {
  const app = program
    .command('app')
    .description('Applications that may ask for tokens: add, list, change, rotate-secret, remove.')
  app.addHelpText('after', '\nExamples:\n  thingsync app add "my client"\n  thingsync app list --data /srv/things')
  addAdd(app)
  addChange(app)

  addAccountOptions(app.command('list'))
    .description('List all apps, without their secrets.')
    .addHelpText('after', '\nExample:\n  thingsync app list')
    .action(async (_options, command: Command) => {
      const rows = await runAccountOn(command, () => ({ name: 'app list' }))
      printList(command, rows, 'no apps; register one with: thingsync app add NAME')
    })

  addAccountOptions(app.command('rotate-secret').argument('<CLIENT_ID>'))
    .description('Give an app a new secret, printed only this once; the old one stops working at once.')
    .addHelpText('after', '\nExample:\n  thingsync app rotate-secret 3kTSh0Yx2mLw8QdR5uVa')
    .action(async (clientId: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'app rotate-secret', clientId }))
      const lines = [
        `app ${row?.name} has a new secret`,
        `client id: ${clientId}`,
        `client secret: ${row?.client_secret}`,
      ]
      printResult(command, { ...row }, lines)
    })

  addAccountOptions(app.command('remove').argument('<CLIENT_ID>'))
    .description('Remove an app and end all its sessions.')
    .addHelpText('after', '\nExample:\n  thingsync app remove 3kTSh0Yx2mLw8QdR5uVa')
    .action(async (clientId: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'app remove', clientId }))
      printResult(command, { ...row }, [`app ${clientId} removed`])
    })
}

const appendUri = (uri: string, previous: readonly string[] = []): readonly string[] => [...previous, uri]

function addChange(app: Command): void {
  addAccountOptions(app.command('change').argument('<CLIENT_ID>'))
    .description('Change the details of an app that you give; its secret and its sessions stay.')
    .option('--name <NAME>', 'The name that users see when the app asks for access.')
    .option('--redirect-uri <URI>', 'A redirect URI; replaces all previous ones; repeat it for each URI.', appendUri)
    .option('--standard', 'Leave "scope": null out of its token responses.')
    .option('--no-standard', 'Write "scope": null into its token responses.')
    .addHelpText(
      'after',
      `
Examples:
  thingsync app change 3kTSh0Yx2mLw8QdR5uVa --name "my better client"
  thingsync app change 3kTSh0Yx2mLw8QdR5uVa --redirect-uri https://app.example/back --redirect-uri http://127.0.0.1/back`,
    )
    .action(async (clientId: string, _options, command: Command) => {
      const { name, redirectUri: redirectUris, standard: isStandard } = command.opts()
      const changes = {
        ...(name !== undefined && { name }),
        ...(redirectUris !== undefined && { redirectUris }),
        ...(isStandard !== undefined && { isStandard }),
      }
      if (Object.keys(changes).length === 0) {
        throw new CommandFailed('nothing to change; say --name, --redirect-uri, --standard or --no-standard', 2)
      }
      const [row] = await runAccountOn(command, () => ({ name: 'app change', clientId, changes }))
      printResult(command, { ...row }, [`app ${row?.name} changed`])
    })
}

function addAdd(app: Command): void {
  addAccountOptions(app.command('add').argument('<NAME>'))
    .description('Register an app; prints its client id and secret, the secret only this once.')
    .option(
      '--redirect-uri <URI>',
      'A redirect URI for the authorization code flow; repeat it for each URI.',
      appendUri,
      [],
    )
    .option('--public', 'A public client (phone, browser, command line): it has no secret and uses PKCE.')
    .option('--standard', 'Leave "scope": null, which OAuth libraries reject, out of its token responses.')
    .addHelpText(
      'after',
      `
Examples:
  thingsync app add "my client" --data /srv/things --format json
  thingsync app add "my site" --redirect-uri https://app.example/back --standard
  thingsync app add "my phone" --public --redirect-uri com.example.app:/back --redirect-uri http://127.0.0.1/back`,
    )
    .action(async (name: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({
        name: 'app add',
        app: name,
        redirectUris: command.getOptionValue('redirectUri'),
        isPublic: command.getOptionValue('public') === true,
        isStandard: command.getOptionValue('standard') === true,
      }))
      const secret = row?.client_secret === undefined ? [] : [`client secret: ${row.client_secret}`]
      printResult(command, { ...row }, [`app ${name} added`, `client id: ${row?.client_id}`, ...secret])
    })
}
