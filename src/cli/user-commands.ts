import { type Command, InvalidArgumentError } from 'commander'
import { parseQuotaValue, type QuotaValue, quotaNames } from '../accounts/quotas.ts'
import { maxWebhooks } from '../delivery/webhooks.ts'
import { systemEnvironment } from '../environment.ts'
import { type AccountRow, CommandFailed } from '../runtime/command-errors.ts'
import { addAccountOptions, printList, printResult, runAccountOn } from './options.ts'
import { ask, readPassword } from './read-password.ts'

/** Adds the commands about one-time links: `user invite`, `invitations`, `withdraw` and `link`. */
export function addLinkCommands(user: Command): void {
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

const readAmount =
  (max?: number) =>
  (text: string): QuotaValue => {
    const wish = parseQuotaValue(text, max)
    if (wish !== undefined) return wish
    const number = max === undefined ? 'a whole number' : `a whole number up to ${max}`
    throw new InvalidArgumentError(`${number}, "none", or "default" is wanted.`)
  }

const show = (value: AccountRow[string] | undefined): string =>
  typeof value === 'number' ? value.toLocaleString('en') : String(value)

const describe = (row: AccountRow): string[] =>
  quotaNames.map((name) => {
    const max = row[`most_${name}`]
    const limit = max === null ? 'no limit' : `of ${show(max)}`
    const whose = row[`quota_${name}`] === 'default' ? ', as the settings say' : ''
    return `${name}: ${show(row[name])}, ${limit}${whose}`
  })

/** Adds `user quota`: how much a user has, and may have. */
export function addQuotaCommand(user: Command): void {
  addAccountOptions(user.command('quota').argument('<NAME>'))
    .description('Show how much a user has and may have, and change what the user may have.')
    .option('--things <N>', 'Things; "none" is any number, "default" as the settings say.', readAmount())
    .option('--bytes <N>', 'Bytes of what they say, as JSON, and of tags; the same.', readAmount())
    .option('--tags <N>', 'Tags with settings, and as many whose settings were cleared; the same.', readAmount())
    .option(
      '--hooks <N>',
      `Webhooks, never more than ${maxWebhooks}, which is what "none" allows; "default" the same.`,
      readAmount(maxWebhooks),
    )
    .addHelpText(
      'after',
      `
What is there stays when a quota is below it: then nothing can be added, and things can be deleted and shortened, and tags cleared.

Examples:
  thingsync user quota anna
  thingsync user quota anna --things 10000 --bytes 50000000
  thingsync user quota anna --things default`,
    )
    .action(async (name: string, _options, command: Command) => {
      const change = Object.fromEntries(
        quotaNames.flatMap((what) => {
          const wish: QuotaValue | undefined = command.getOptionValue(what)
          return wish === undefined ? [] : [[what, wish]]
        }),
      )
      const [row = {}] = await runAccountOn(command, () => ({ name: 'user quota', user: name, change }))
      printResult(command, row, describe(row))
    })
}

const switches = [
  {
    name: 'disable',
    description: 'Keep a user out: no sign-in, and no token works, until the user is enabled again.',
    example: 'anna',
    done: 'is disabled',
  },
  {
    name: 'enable',
    description: 'Let a disabled user in again; the tokens of before work again.',
    example: 'anna',
    done: 'is enabled',
  },
  { name: 'promote', description: 'Make a user admin, beside those who are.', example: 'bob', done: 'is admin' },
  {
    name: 'demote',
    description: 'Take the admin pages from a user, who stays; the only admin cannot be demoted.',
    example: 'anna',
    done: 'is not admin',
  },
  {
    name: 'unbind',
    description: 'Forget who a user is for the OpenID provider; the next sign-in there by that name binds anew.',
    example: 'anna',
    done: 'is bound to nobody at the provider',
  },
] as const

/** Adds the commands that change what a user may do: `user disable`, `enable`, `promote`, `demote` and `unbind`. */
export function addSwitchCommands(user: Command): void {
  for (const { name, description, example, done } of switches) {
    addAccountOptions(user.command(name).argument('<NAME>'))
      .description(description)
      .addHelpText('after', `\nExample:\n  thingsync user ${name} ${example}`)
      .action(async (whose: string, _options, command: Command) => {
        const [row] = await runAccountOn(command, () => ({ name: `user ${name}`, user: whose }))
        printResult(command, { ...row }, [`user ${whose} ${done}`])
      })
  }
}

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
    const { password, isGenerated } = await readPassword(command.opts(), systemEnvironment)
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
