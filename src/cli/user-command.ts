import type { Command } from 'commander'
import { systemWorld } from '../world.ts'
import { addAccountOptions, printList, printResult, runAccountOn } from './account-options.ts'
import { CommandFailed } from './command-failed.ts'
import { ask, readPassword } from './read-password.ts'

/** Adds the commands about users, of which one is `user add`. */
export function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description(
      'Users: add, invite, invitations, withdraw, list, link, reset-password, promote, demote, disable, enable, remove.',
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
  addAdminCommands(user)

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

function addLinkCommands(user: Command): void {
  addAccountOptions(user.command('invite').argument('[NAME]'))
    .description('Print a link with which somebody makes an account of his or her own; it works once, for 7 days.')
    .addHelpText('after', '\nExample:\n  thingsync user invite bob')
    .action(async (name: string | undefined, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({
        name: 'user invite',
        ...(name !== undefined && { user: name }),
      }))
      printResult(command, { ...row }, [`${row?.link}`])
    })

  addAccountOptions(user.command('invitations'))
    .description('List the invitations that can still be used.')
    .addHelpText('after', '\nExample:\n  thingsync user invitations --format json')
    .action(async (_options, command: Command) => {
      const rows = await runAccountOn(command, () => ({ name: 'user invitations' }))
      printList(command, rows, 'no open invitations; make one with: thingsync user invite NAME')
    })

  addAccountOptions(user.command('withdraw').argument('<ID>'))
    .description('Withdraw an invitation; "user invitations" shows the ids.')
    .addHelpText('after', '\nExample:\n  thingsync user withdraw ID')
    .action(async (id: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'user withdraw', id }))
      printResult(command, { ...row }, ['the invitation is withdrawn'])
    })

  addAccountOptions(user.command('link').argument('<NAME>'))
    .description('Print a link with which a user sets a new password; it works once, for a day.')
    .addHelpText('after', '\nExample:\n  thingsync user link anna')
    .action(async (name: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'user link', user: name }))
      printResult(command, { ...row }, [`${row?.link}`])
    })
}

function addSwitchCommands(user: Command): void {
  addAccountOptions(user.command('disable').argument('<NAME>'))
    .description('Keep a user out: no sign-in, and no token works, until the user is enabled again.')
    .addHelpText('after', '\nExample:\n  thingsync user disable anna')
    .action(async (name: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'user disable', user: name }))
      printResult(command, { ...row }, [`user ${name} is disabled`])
    })

  addAccountOptions(user.command('enable').argument('<NAME>'))
    .description('Let a disabled user in again; the tokens of before work again.')
    .addHelpText('after', '\nExample:\n  thingsync user enable anna')
    .action(async (name: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'user enable', user: name }))
      printResult(command, { ...row }, [`user ${name} is enabled`])
    })
}

function addAdminCommands(user: Command): void {
  addAccountOptions(user.command('promote').argument('<NAME>'))
    .description('Make a user admin, beside those who are.')
    .addHelpText('after', '\nExample:\n  thingsync user promote bob')
    .action(async (name: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'user promote', user: name }))
      printResult(command, { ...row }, [`user ${name} is admin`])
    })

  addAccountOptions(user.command('demote').argument('<NAME>'))
    .description('Take the admin pages from a user, who stays; the only admin cannot be demoted.')
    .addHelpText('after', '\nExample:\n  thingsync user demote anna')
    .action(async (name: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'user demote', user: name }))
      printResult(command, { ...row }, [`user ${name} is not admin`])
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
