import type { Command } from 'commander'
import { addAccountOptions, printResult, runAccountOn } from './account-options.ts'

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
