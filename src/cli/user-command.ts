import type { Command } from 'commander'
import { CommandFailed } from '../runtime/command-failed.ts'
import { systemWorld } from '../world.ts'
import { addAccountOptions, printList, printResult, runAccountOn } from './account-options.ts'
import { ask, readPassword } from './read-password.ts'
import { addLinkCommands } from './user-link-commands.ts'
import { addQuotaCommand } from './user-quota-command.ts'
import { addSwitchCommands } from './user-switch-commands.ts'

/** Adds the commands about users, of which one is `user add`. */
export function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description(
      'Users: add, invite, invitations, withdraw, list, link, rename, quota, reset-password, promote, demote, disable, enable, unbind, remove.',
    )
  user.addHelpText('after', '\nExamples:\n  thingsync user add anna\n  thingsync user list --data /srv/things')

  addPasswordOptions(
    user.command('add'),
    'Add a user.',
    'printf %s "$PASSWORD" | thingsync user add anna --password-stdin',
  ).action((name, _options, command) => setPassword('user add', name, command, `user ${name} added`))
  addPasswordOptions(
    user.command('reset-password'),
    'Give a user a new password; ends all sessions of the user.',
    'thingsync user reset-password anna --generate-password',
  ).action((name, _options, command) =>
    setPassword('user reset-password', name, command, `user ${name} has a new password; all sessions ended`),
  )

  addAccountOptions(user.command('list'))
    .description('List all users.')
    .addHelpText('after', '\nExample:\n  thingsync user list --data /srv/things --format json')
    .action(async (_options, command: Command) => {
      const rows = await runAccountOn(command, () => ({ name: 'user list' }))
      printList(command, rows, 'no users; add one with: thingsync user add NAME')
    })

  addLinkCommands(user)
  addSwitchCommands(user)
  addQuotaCommand(user)

  addAccountOptions(user.command('rename').argument('<NAME>').argument('<NEW-NAME>'))
    .description('Give a user another name; things, sessions and tokens stay as they are.')
    .addHelpText('after', '\nExample:\n  thingsync user rename anna anne')
    .action(async (name: string, to: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'user rename', user: name, to }))
      printResult(command, { ...row }, [`user ${name} is called ${row?.name} now`])
    })

  addAccountOptions(user.command('remove').argument('<NAME>'))
    .description('Remove a user with all things, for good.')
    .option('--yes', 'Do not ask.')
    .addHelpText('after', '\nExample:\n  thingsync user remove anna --yes')
    .action(async (name: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, async () => {
        if (!command.getOptionValue('yes')) await confirmRemoval(name)
        return { name: 'user remove', user: name }
      })
      printResult(command, { ...row }, [`user ${name} removed`])
    })
}

function addPasswordOptions(command: Command, description: string, example: string): Command {
  return addAccountOptions(command.argument('<NAME>'))
    .description(description)
    .option('--password-stdin', 'Read the password from standard input.')
    .option('--generate-password', 'Make up a password and print it once.')
    .addHelpText('after', `\nOn a terminal the password is asked for.\n\nExample:\n  ${example}`)
}

async function setPassword(
  what: 'user add' | 'user reset-password',
  name: string,
  command: Command,
  sentence: string,
): Promise<void> {
  let generated: string | undefined
  await runAccountOn(command, async () => {
    const { password, isGenerated } = await readPassword(command.opts(), systemWorld)
    if (isGenerated) generated = password
    return { name: what, user: name, password }
  })
  const result = generated === undefined ? { name } : { name, password: generated }
  printResult(command, result, generated === undefined ? [sentence] : [sentence, `password: ${generated}`])
}

async function confirmRemoval(name: string): Promise<void> {
  const warning = `user ${name} and all things of the user will be removed for good`
  if (!process.stdin.isTTY) throw new CommandFailed(`${warning}; say --yes to do so`, 2)
  const answer = await ask(`${warning}. Type the name to go on: `)
  if (answer !== name) throw new CommandFailed('nothing was removed')
}
