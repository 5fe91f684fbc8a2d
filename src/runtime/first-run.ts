import { rm } from 'node:fs/promises'
import { addApp } from '../accounts/apps.ts'
import { makeLink } from '../accounts/links.ts'
import { addUser } from '../accounts/users.ts'
import { webAppId } from '../accounts/web-app.ts'
import type { Settings } from '../config/settings-table.ts'
import { hidePassword, isDatabaseUrl } from '../config/store-place.ts'
import { showLinkAddress } from '../pages/link-address.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { describeFirstRun, describeHiddenFirstRun, type FirstRun, showFirstRunFile } from './describe-first-run.ts'
import { readOwnerPassword } from './owner-password.ts'
import { fillSecretsFile, makeSecretsFile } from './secrets-file.ts'

type FirstRunSettings = Pick<
  Settings,
  'data' | 'store' | 'owner' | 'passwordGrant' | 'ownerPassword' | 'ownerPasswordFile'
>

/** What there is to print about the first accounts, and the file of their secrets, when that was made. */
export interface FirstAccounts {
  readonly shown: string
  readonly file?: string
}

/**
 * Makes the first user and an app in a store without users and apps, and gives what there is to print about it, once:
 * with the secrets on a terminal, else without them, because what is printed goes into logs. Undefined in any other
 * store.
 * @throws AccountRefused, CommandFailed when it cannot be done
 */
export async function makeFirstAccounts(
  store: Store,
  settings: FirstRunSettings,
  { baseUrl, isTerminal }: { readonly baseUrl: string; readonly isTerminal: boolean },
  world: World,
): Promise<FirstAccounts | undefined> {
  const { registry } = store
  const apps = (await registry.listApps()).filter(({ clientId }) => clientId !== webAppId)
  if (apps.length > 0 || (await registry.hasUsers())) return undefined
  const kept = isDatabaseUrl(settings.store)
    ? { in: 'database', at: hidePassword(settings.store) }
    : { in: 'data folder', at: settings.data }
  const place = { baseUrl, kept, takesPasswords: settings.passwordGrant }
  const addAccounts = () => addFirst(store, settings, baseUrl, world)
  if (isTerminal) return { shown: describeFirstRun(await addAccounts(), place) }

  // Before the accounts: secrets that cannot be kept anywhere would never be shown.
  const file = await makeSecretsFile(settings.data)
  const run = await addAccounts().catch(async (error: unknown) => {
    await rm(file)
    throw error
  })
  await fillSecretsFile(file, showFirstRunFile(run, place))
  return { shown: describeHiddenFirstRun(run, place, file), file }
}

async function addFirst(store: Store, settings: FirstRunSettings, baseUrl: string, world: World): Promise<FirstRun> {
  const password = await readOwnerPassword(settings, world)
  const { id: userId } = await addUser(store, { name: settings.owner, password: password.text }, world)
  const { clientId, clientSecret } = await addApp(store, 'first app', world)
  const { secret } = await makeLink(store, { kind: 'first-sign-in', userId }, world)
  const link = showLinkAddress(baseUrl, secret)
  return { username: settings.owner, password, clientId, clientSecret, link }
}
