import { AccountRefused } from '../accounts/account-refused.ts'
import { addApp, listApps, removeApp } from '../accounts/apps.ts'
import { addUser, listUsers, removeUser, resetPassword } from '../accounts/users.ts'
import { type Store, StoreFailed } from '../store/store.ts'
import type { World } from '../world.ts'

/** A command about users and apps, as JSON: it may run in another process, that of the server. */
export type AccountCommand =
  | { readonly name: 'user add' | 'user reset-password'; readonly user: string; readonly password: string }
  | { readonly name: 'user remove'; readonly user: string }
  | { readonly name: 'app add'; readonly app: string }
  | { readonly name: 'app remove'; readonly clientId: string }
  | { readonly name: 'user list' | 'app list' }

/** One row of a list or the one result of a command; `date` is Unix time in seconds. */
export type AccountRow = Readonly<Record<string, string | number>>

/** How a command ended: with rows to show, or refused with a sentence. */
export type AccountOutcome = { readonly rows: readonly AccountRow[] } | { readonly refused: string }

/**
 * Runs a command on an open store; the same function whether the server runs or is stopped.
 * @throws faults only: what the person can change is a refused outcome
 */
export async function runAccountCommand(store: Store, world: World, command: AccountCommand): Promise<AccountOutcome> {
  try {
    return { rows: await run(store, world, command) }
  } catch (error) {
    if (error instanceof AccountRefused) return { refused: error.sentence }
    if (error instanceof StoreFailed) return { refused: error.message }
    throw error
  }
}

async function run(store: Store, world: World, command: AccountCommand): Promise<readonly AccountRow[]> {
  switch (command.name) {
    case 'user add':
      await addUser(store, { name: command.user, password: command.password }, world)
      return [{ name: command.user }]
    case 'user reset-password':
      await resetPassword(store, { name: command.user, password: command.password })
      return [{ name: command.user }]
    case 'user remove':
      await removeUser(store, command.user)
      return [{ name: command.user }]
    case 'user list':
      return (await listUsers(store)).map(({ name, createdAt }) => ({ name, date: createdAt }))
    case 'app add': {
      const { clientId, clientSecret, name } = await addApp(store, command.app, world)
      return [{ client_id: clientId, client_secret: clientSecret, name }]
    }
    case 'app remove':
      await removeApp(store, command.clientId)
      return [{ client_id: command.clientId }]
    case 'app list':
      return (await listApps(store)).map(({ clientId, name, createdAt }) => ({
        client_id: clientId,
        name,
        date: createdAt,
      }))
  }
}
