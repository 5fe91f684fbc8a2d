import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Command, InvalidArgumentError } from 'commander'
import { parseQuotaValue, type QuotaValue, quotaNames } from '../accounts/quotas.ts'
import { maxWebhooks } from '../delivery/webhooks.ts'
import { type Environment, systemEnvironment } from '../environment.ts'
import { type AccountRow, CommandFailed } from '../runtime/command-errors.ts'
import { addAccountOptions, createsData, printList, printResult, runAccountOn } from './options.ts'

/** Adds the commands about one-time links: `user invite`, `invitations`, `withdraw` and `link`. */
export function addLinkCommands(user: Command): void {
  addAccountOptions(user.command('invite').argument('[NAME]'))
    .description('Print a link with which a new user creates an account. It works once, within 7 days.')
    .addHelpText('after', '\nExample:\n  thingsync user invite bob')
    .action(async (name: string | undefined, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({
        name: 'user invite',
        ...(name !== undefined && { user: name }),
      }))
      printResult(command, { ...row }, [`${row?.link}`])
    })

  addAccountOptions(user.command('invitations'))
    .description('List all open invitations.')
    .addHelpText('after', '\nExample:\n  thingsync user invitations --format json')
    .action(async (_options, command: Command) => {
      const rows = await runAccountOn(command, () => ({ name: 'user invitations' }))
      printList(command, rows, 'no open invitations; create an invitation with: thingsync user invite NAME')
    })

  addAccountOptions(user.command('withdraw').argument('<ID>'))
    .description('Withdraw an invitation: its link stops working. "user invitations" shows the IDs.')
    .addHelpText('after', '\nExample:\n  thingsync user withdraw ID')
    .action(async (id: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'user withdraw', id }))
      printResult(command, { ...row }, ['the invitation is withdrawn'])
    })

  addAccountOptions(user.command('link').argument('<NAME>'))
    .description('Print a link with which a user sets a new password. It works once, within a day.')
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
    throw new InvalidArgumentError(`It must be ${number}, "none" or "default".`)
  }

const show = (value: AccountRow[string] | undefined): string =>
  typeof value === 'number' ? value.toLocaleString('en') : String(value)

const describe = (row: AccountRow): string[] =>
  quotaNames.map((name) => {
    const max = row[`max_${name}`]
    const limit = max === null ? 'no limit' : `of ${show(max)}`
    const whose = row[`quota_${name}`] === 'default' ? ' (from the settings)' : ''
    return `${name}: ${show(row[name])}, ${limit}${whose}`
  })

/** Adds `user quota`: shows and changes the quotas of a user. */
export function addQuotaCommand(user: Command): void {
  addAccountOptions(user.command('quota').argument('<NAME>'))
    .description('Show the usage and the quotas of a user, or change the quotas.')
    .option(
      '--things <N>',
      'Maximum number of things; "none" for no limit, "default" for the value in the settings.',
      readAmount(),
    )
    .option(
      '--bytes <N>',
      'Maximum size of things and tags in bytes, as JSON; "none" or "default" as for --things.',
      readAmount(),
    )
    .option(
      '--tags <N>',
      'Maximum number of tags with settings, and of tags with cleared settings; "none" or "default" as for --things.',
      readAmount(),
    )
    .option(
      '--hooks <N>',
      `Maximum number of webhooks, up to ${maxWebhooks}; "none" for ${maxWebhooks}, "default" for the value in the settings.`,
      readAmount(maxWebhooks),
    )
    .addHelpText(
      'after',
      `
Existing things stay when a quota is lower than the usage. Then the user cannot add anything, but can delete and shorten
things, and clear tags.

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
    description: 'Disable a user: sign-in and tokens do not work until you enable the user again.',
    example: 'anna',
    done: 'is disabled',
  },
  {
    name: 'enable',
    description: 'Enable a disabled user. Existing tokens work again.',
    example: 'anna',
    done: 'is enabled',
  },
  { name: 'promote', description: 'Make a user an administrator.', example: 'bob', done: 'is now an administrator' },
  {
    name: 'demote',
    description: 'Make an administrator a normal user. You cannot demote the only administrator.',
    example: 'anna',
    done: 'is no longer an administrator',
  },
  {
    name: 'unbind',
    description: 'Unlink a user from the OpenID provider. The next sign-in with that name links the user again.',
    example: 'anna',
    done: 'is no longer linked to the OpenID provider',
  },
] as const

/** Adds the commands that change the access of a user: `user disable`, `enable`, `promote`, `demote` and `unbind`. */
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

/** Adds all commands about users. */
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
    'Set a new password for a user, and end all sessions of the user.',
    'thingsync user reset-password anna --generate-password',
  ).action((name, _options, command) =>
    setPassword('user reset-password', name, command, `user ${name} has a new password; all sessions ended`),
  )

  addAccountOptions(user.command('list'))
    .description('List all users.')
    .addHelpText('after', '\nExample:\n  thingsync user list --data /srv/things --format json')
    .action(async (_options, command: Command) => {
      const rows = await runAccountOn(command, () => ({ name: 'user list' }))
      printList(command, rows, 'no users; add a user with: thingsync user add NAME')
    })

  addLinkCommands(user)
  addSwitchCommands(user)
  addQuotaCommand(user)

  addAccountOptions(user.command('rename').argument('<NAME>').argument('<NEW-NAME>'))
    .description('Rename a user. Things, sessions and tokens do not change.')
    .addHelpText('after', '\nExample:\n  thingsync user rename anna anne')
    .action(async (name: string, to: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'user rename', user: name, to }))
      printResult(command, { ...row }, [`user ${name} is now called ${row?.name}`])
    })

  addAccountOptions(user.command('remove').argument('<NAME>'))
    .description('Remove a user and all things of the user permanently.')
    .option('--yes', 'Do not ask for confirmation.')
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
  return addAccountOptions(command.argument('<NAME>'), command.name() === 'add' ? createsData : {})
    .description(description)
    .option('--password-stdin', 'Read the password from standard input.')
    .option('--generate-password', 'Generate a password and print it once.')
    .addHelpText('after', `\nOn a terminal, the command asks for the password.\n\nExample:\n  ${example}`)
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
  const warning = `user ${name} and all things of the user will be removed permanently`
  if (!process.stdin.isTTY) throw new CommandFailed(`${warning}; give --yes to confirm`, 2)
  const typed = await prompt(`${warning}. Type the name to continue: `)
  if (typed !== name) throw new CommandFailed('the typed name differs; nothing was removed')
}

/** The source of a password: `passwordStdin` is all of standard input without its last line end. */
export interface PasswordOptions {
  readonly passwordStdin?: true
  readonly generatePassword?: true
}

const maxPasswordLength = 1000

/**
 * Reads a password from standard input, generates one, or asks for it twice on the terminal without echo.
 * @throws CommandFailed when there is no terminal, or the two passwords differ
 */
export async function readPassword(
  options: PasswordOptions,
  environment: Environment,
): Promise<{ readonly password: string; readonly isGenerated: boolean }> {
  if (options.passwordStdin && options.generatePassword) {
    throw new CommandFailed('give --password-stdin or --generate-password, not both', 2)
  }
  if (options.generatePassword) return { password: environment.newId(), isGenerated: true }
  if (options.passwordStdin) return { password: await readStandardInput(), isGenerated: false }
  if (!process.stdin.isTTY) {
    throw new CommandFailed('no terminal to ask for a password; give --password-stdin or --generate-password', 2)
  }
  const password = await promptWithoutEcho('Password: ')
  if (password !== (await promptWithoutEcho('Repeat the password: ')))
    throw new CommandFailed('the two passwords differ; run the command again')
  return { password, isGenerated: false }
}

async function readStandardInput(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (password.length > maxPasswordLength) {
    throw new CommandFailed(
      `the password on standard input is longer than ${maxPasswordLength} characters; give a shorter password`,
    )
  }
  return password
}

/** Asks a question on the terminal. It writes to standard error: standard output holds only the result. */
export async function prompt(question: string): Promise<string> {
  return promptOn(process.stderr, question)
}

async function promptWithoutEcho(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const response = await promptOn(nowhere, '')
  process.stderr.write('\n')
  return response
}

async function promptOn(output: NodeJS.WritableStream, question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  const givenUp = new AbortController()
  terminal.once('close', () => givenUp.abort())
  try {
    return await terminal.question(question, { signal: givenUp.signal })
  } catch (error) {
    // Ctrl-C and Ctrl-D close the interface, and its question never settles.
    if (givenUp.signal.aborted) throw new CommandFailed('canceled')
    throw error
  } finally {
    terminal.close()
  }
}
