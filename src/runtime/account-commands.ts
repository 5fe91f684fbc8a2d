import { catchRefusal, type Refusal } from './command-failed.ts'
import type { AccountRow, CommandPlace } from './command-place.ts'
import { type AppCommand, runAppCommand } from './run-app-command.ts'
import { type DeliveryCommand, runDeliveryCommand } from './run-delivery-command.ts'
import { runSessionCommand, type SessionCommand } from './run-session-command.ts'
import { runUserCommand, type UserCommand } from './run-user-command.ts'

/** A command about users, apps, sessions and delivery, as JSON: it may run in another process, that of the server. */
export type AccountCommand = UserCommand | AppCommand | SessionCommand | DeliveryCommand | CheckpointCommand

/** Brings everything into plain files. */
export interface CheckpointCommand {
  readonly name: 'checkpoint'
}

/** How a command ended: with rows to show, or refused with a sentence. */
export type AccountOutcome = { readonly rows: readonly AccountRow[] } | Refusal

/**
 * Runs a command on an open store; the same function whether the server runs or is stopped.
 * @throws faults only: what the person can change is a refused outcome
 */
export const runAccountCommand = (place: CommandPlace, command: AccountCommand): Promise<AccountOutcome> =>
  catchRefusal(async () => ({ rows: await run(place, command) }))

function run(place: CommandPlace, command: AccountCommand): Promise<readonly AccountRow[]> {
  switch (command.name) {
    case 'app add':
    case 'app list':
    case 'app change':
    case 'app rotate-secret':
    case 'app remove':
      return runAppCommand(place, command)
    case 'token add':
    case 'session list':
    case 'session revoke':
      return runSessionCommand(place, command)
    case 'delivery list':
    case 'delivery retry':
    case 'delivery pause':
    case 'delivery resume':
      return runDeliveryCommand(place, command)
    case 'checkpoint':
      return place.store.checkpoint().then(() => [])
    default:
      return runUserCommand(place, command)
  }
}
