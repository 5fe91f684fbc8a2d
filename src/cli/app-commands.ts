import type { Command } from 'commander'
import { CommandFailed } from '../runtime/command-errors.ts'
import { addAccountOptions, createsData, printList, printResult, runAccountOn } from './options.ts'

/** Adds `app add`, `list`, `change`, `rotate-secret` and `remove`: the registration of applications (interface 1). */
export function addAppCommands(program: Command): void {
  const app = program
    .command('app')
    .description('Apps that may request tokens: add, list, change, rotate-secret, remove.')
  app.addHelpText('after', '\nExamples:\n  thingsync app add "my client"\n  thingsync app list --data /srv/things')
  addAdd(app)
  addChange(app)

  addAccountOptions(app.command('list'))
    .description('List all apps, without their secrets.')
    .addHelpText('after', '\nExample:\n  thingsync app list')
    .action(async (_options, command: Command) => {
      const rows = await runAccountOn(command, () => ({ name: 'app list' }))
      printList(command, rows, 'no apps; register an app with: thingsync app add NAME')
    })

  addAccountOptions(app.command('rotate-secret').argument('<CLIENT_ID>'))
    .description('Create a new secret for an app, and print it once. The previous secret stops working at once.')
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
    .description('Change the given details of an app; its secret and its sessions do not change.')
    .option('--name <NAME>', 'Name that users see when the app requests access.')
    .option(
      '--redirect-uri <URI>',
      'Redirect URI; replaces all previous URIs. Repeat the flag for each URI.',
      appendUri,
    )
    .option('--standard', 'Omit "scope": null from token responses to the app.')
    .option('--no-standard', 'Include "scope": null in token responses to the app.')
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
        throw new CommandFailed('nothing to change; give --name, --redirect-uri, --standard or --no-standard', 2)
      }
      const [row] = await runAccountOn(command, () => ({ name: 'app change', clientId, changes }))
      printResult(command, { ...row }, [`app ${row?.name} changed`])
    })
}

function addAdd(app: Command): void {
  addAccountOptions(app.command('add').argument('<NAME>'), createsData)
    .description('Register an app, and print its client ID and its secret. The secret is shown only once.')
    .option(
      '--redirect-uri <URI>',
      'Redirect URI for the authorization code flow. Repeat the flag for each URI.',
      appendUri,
      [],
    )
    .option('--public', 'Register a public client (phone, browser, command line): it uses PKCE instead of a secret.')
    .option('--standard', 'Omit "scope": null, which OAuth libraries reject, from token responses to the app.')
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
