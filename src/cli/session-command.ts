import type { Command } from 'commander'
import { addAccountOptions, printList, printResult, runAccountOn } from './account-options.ts'

/** Adds `session list` and `session revoke`: all that may act for a user at the moment. */
export function addSessionCommands(program: Command): void {
  const session = program.command('session').description('Sessions of apps, tokens and browsers: list, revoke.')
  session.addHelpText('after', '\nExamples:\n  thingsync session list --user anna\n  thingsync session revoke ID')

  addAccountOptions(session.command('list'))
    .description('List sessions: apps with tokens, personal access tokens, browsers that are signed in.')
    .option('--user <NAME>', 'Only those of this user.')
    .addHelpText('after', '\nExample:\n  thingsync session list --user anna --format json')
    .action(async (_options, command: Command) => {
      const user: string | undefined = command.getOptionValue('user')
      const rows = await runAccountOn(command, () => ({ name: 'session list', ...(user !== undefined && { user }) }))
      printList(command, rows, 'no sessions')
    })

  addAccountOptions(session.command('revoke').argument('<ID>'))
    .description('End a session at once, whatever its kind.')
    .addHelpText('after', '\nExample:\n  thingsync session revoke 3kTSh0Yx2mLw8QdR5uVa')
    .action(async (id: string, _options, command: Command) => {
      const [row] = await runAccountOn(command, () => ({ name: 'session revoke', id }))
      printResult(command, { ...row }, [`session ${id} of user ${row?.user} ended`])
    })
}
