import { type Command, InvalidArgumentError } from 'commander'
import { formatVisibleJson, maskInvisible } from '../accounts/names.ts'
import { CommandFailed } from '../runtime/command-errors.ts'
import { addAccountOptions, printList, runAccountOn } from './options.ts'

const sentences = {
  retry: 'Retry failed deliveries at once, and resume suspended webhooks.',
  pause: 'Pause a webhook: send nothing to it until you resume it. No change is lost.',
  resume: 'Resume a paused webhook, and deliver missed changes at once.',
} as const

const done = { retry: 'retried', pause: 'paused', resume: 'resumed' } as const

/** Adds `delivery list`, `retry`, `pause` and `resume`: the deliveries to webhooks and devices. */
export function addDeliveryCommands(program: Command): void {
  const delivery = program.command('delivery').description('Webhooks and push devices: list, retry, pause, resume.')
  delivery.addHelpText(
    'after',
    '\nExamples:\n  thingsync delivery list\n  thingsync delivery retry --user anna\n  thingsync delivery pause --hook ID',
  )

  addAccountOptions(delivery.command('list'))
    .description('List webhooks and devices: waiting deliveries, the last success, the last failure and its reason.')
    .option('--user <NAME>', 'List only webhooks and devices of this user.')
    .addHelpText('after', '\nExample:\n  thingsync delivery list --user anna --format json')
    .action(async (_options, command: Command) => {
      const rows = await runAccountOn(command, () => ({ name: 'delivery list', ...readMeant(command) }))
      printList(command, rows, 'no webhooks and no devices')
    })

  for (const act of ['retry', 'pause', 'resume'] as const) {
    addAccountOptions(delivery.command(act))
      .description(sentences[act])
      .option('--user <NAME>', 'All webhooks of this user.', readOnce)
      .option('--hook <ID>', 'One webhook, by its ID in "delivery list".', readOnce)
      .addHelpText(
        'after',
        `\nGive --user or --hook.\n\nExample:\n  thingsync delivery ${act} --hook 3kTSh0Yx2mLw8QdR5uVa`,
      )
      .action(async (_options, command: Command) => {
        const meant = readMeant(command)
        if (Object.keys(meant).length === 0)
          throw new CommandFailed('give a webhook with --hook, or a user with --user', 2)
        const rows = await runAccountOn(command, () => ({ name: `delivery ${act}`, ...meant }))
        if (command.getOptionValue('format') === 'json') process.stdout.write(`${formatVisibleJson(rows)}\n`)
        else
          for (const { id, to, user, reason } of rows) {
            const but = reason === undefined ? '' : `, but nothing is sent while ${reason}`
            process.stdout.write(`webhook ${id} of user ${user} ${done[act]}${but}: ${maskInvisible(String(to))}\n`)
          }
      })
  }
}

// Of two values the first would be ignored without a word.
function readOnce(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError('Give it only once; run the command once for each value.')
  return value
}

function readMeant(command: Command): { readonly user?: string; readonly hook?: string } {
  const user: string | undefined = command.getOptionValue('user')
  const hook: string | undefined = command.getOptionValue('hook')
  return { ...(user !== undefined && { user }), ...(hook !== undefined && { hook }) }
}
