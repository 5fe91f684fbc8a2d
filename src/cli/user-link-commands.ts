import type { Command } from 'commander'
import { addAccountOptions, printList, printResult, runAccountOn } from './account-options.ts'

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
