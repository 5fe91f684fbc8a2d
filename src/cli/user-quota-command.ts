import { type Command, InvalidArgumentError } from 'commander'
import { type QuotaWish, quotaNames, readQuotaWish } from '../accounts/quota-wish.ts'
import { mostWebhooks } from '../delivery/webhooks.ts'
import type { AccountRow } from '../runtime/command-place.ts'
import { addAccountOptions, printResult, runAccountOn } from './account-options.ts'

const readAmount =
  (most?: number) =>
  (text: string): QuotaWish => {
    const wish = readQuotaWish(text, most)
    if (wish !== undefined) return wish
    const number = most === undefined ? 'a whole number' : `a whole number up to ${most}`
    throw new InvalidArgumentError(`${number}, "none", or "default" is wanted.`)
  }

const show = (value: AccountRow[string] | undefined): string =>
  typeof value === 'number' ? value.toLocaleString('en') : String(value)

const describe = (row: AccountRow): string[] =>
  quotaNames.map((name) => {
    const most = row[`most_${name}`]
    const limit = most === null ? 'no limit' : `of ${show(most)}`
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
      `Webhooks, never more than ${mostWebhooks}, which is what "none" allows; "default" the same.`,
      readAmount(mostWebhooks),
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
          const wish: QuotaWish | undefined = command.getOptionValue(what)
          return wish === undefined ? [] : [[what, wish]]
        }),
      )
      const [row = {}] = await runAccountOn(command, () => ({ name: 'user quota', user: name, change }))
      printResult(command, row, describe(row))
    })
}
