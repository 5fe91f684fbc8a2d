import type { Command } from 'commander'
import { CommandFailed } from '../runtime/command-errors.ts'
import { addAccountOptions, printList, printResult, runAccountOn } from './options.ts'

/** Adds `token add`, `token list` and `token revoke`: personal access tokens, which need no app and no refresh. */
export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('Personal access tokens, for scripts: add, list, revoke.')
  token.addHelpText(
    'after',
    '\nExamples:\n  thingsync token add backup --user anna --read-only\n  thingsync token list',
  )

  addAccountOptions(token.command('add').argument('<NAME>'))
    .description('Create a token for a user, and print it. The token is shown only once.')
    .requiredOption('--user <NAME>', 'The user of the token; required.')
    .option('--read-only', 'Create a token that can read everything and change nothing.')
    .option('--expires <TIME>', 'Lifetime in days, hours or minutes, such as 90d, 12h or 30m. [default: no expiration]')
    .addHelpText('after', '\nExample:\n  thingsync token add backup --user anna --read-only --expires 90d')
    .action(async (name: string, _options, command: Command) => {
      const expiresInSeconds = readTime(command.getOptionValue('expires'))
      const [row] = await runAccountOn(command, () => ({
        name: 'token add',
        token: name,
        user: command.getOptionValue('user'),
        isReadOnly: command.getOptionValue('readOnly') === true,
        ...(expiresInSeconds !== undefined && { expiresInSeconds }),
      }))
      printResult(command, { ...row }, [`token ${name} of user ${row?.user} created`, `token: ${row?.token}`])
    })

  addAccountOptions(token.command('list'))
    .description('List personal access tokens, without the tokens themselves.')
    .option('--user <NAME>', 'List only tokens of this user.')
    .addHelpText('after', '\nExample:\n  thingsync token list --user anna --format json')
    .action(async (_options, command: Command) => {
      const user: string | undefined = command.getOptionValue('user')
      const rows = await runAccountOn(command, () => ({
        name: 'session list',
        only: 'token',
        ...(user !== undefined && { user }),
      }))
      printList(command, rows, 'no tokens; create a token with: thingsync token add NAME --user USER')
    })

  addAccountOptions(token.command('revoke').argument('<ID>'))
    .description('Revoke a token at once.')
    .addHelpText('after', '\nExample:\n  thingsync token revoke 3kTSh0Yx2mLw8QdR5uVa')
    .action(async (id: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'session revoke', only: 'token', id }))
      printResult(command, { ...row }, [`token ${id} of user ${row?.user} revoked`])
    })
}

const secondsOf: ReadonlyMap<string | undefined, number> = new Map([
  ['m', 60],
  ['h', 3600],
  ['d', 24 * 3600],
])

const maxDays = 100 * 365

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d+)([mhd])$/.exec(text) ?? []
  const seconds = Number(count) * (secondsOf.get(unit) ?? Number.NaN)
  if (seconds > maxDays * 24 * 3600)
    throw new CommandFailed(
      `--expires: "${text}" is longer than the maximum, ${maxDays}d; leave out --expires for a token that does not expire`,
      2,
    )
  if (seconds > 0) return seconds
  throw new CommandFailed(
    `--expires: "${text}" is not a duration; give days, hours or minutes, such as 90d, 12h or 30m`,
    2,
  )
}

/** Adds `session list` and `session revoke`: the sessions of apps, personal access tokens and browsers. */
export function addSessionCommands(program: Command): void {
  const session = program.command('session').description('Sessions of apps, tokens and browsers: list, revoke.')
  session.addHelpText('after', '\nExamples:\n  thingsync session list --user anna\n  thingsync session revoke ID')

  addAccountOptions(session.command('list'))
    .description('List the sessions of apps, personal access tokens and signed-in browsers.')
    .option('--user <NAME>', 'List only sessions of this user.')
    .addHelpText('after', '\nExample:\n  thingsync session list --user anna --format json')
    .action(async (_options, command: Command) => {
      const user: string | undefined = command.getOptionValue('user')
      const rows = await runAccountOn(command, () => ({ name: 'session list', ...(user !== undefined && { user }) }))
      printList(command, rows, 'no sessions')
    })

  addAccountOptions(session.command('revoke').argument('<ID>'))
    .description('End a session of any kind at once.')
    .addHelpText('after', '\nExample:\n  thingsync session revoke 3kTSh0Yx2mLw8QdR5uVa')
    .action(async (id: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'session revoke', id }))
      printResult(command, { ...row }, [`session ${id} of user ${row?.user} ended`])
    })
}
