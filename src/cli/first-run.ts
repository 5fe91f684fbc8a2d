import { addApp } from '../accounts/apps.ts'
import { addUser } from '../accounts/users.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'

/** The secrets of a first run; only their hashes are kept. */
export interface FirstRun {
  readonly username: string
  readonly password: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Makes the user `owner` and an app in a store without users and apps; undefined in any other. */
export async function makeFirstAccounts(store: Store, world: World): Promise<FirstRun | undefined> {
  const { directory } = store
  if ((await directory.listUsers()).length > 0 || (await directory.listApps()).length > 0) return undefined
  const username = 'owner'
  const password = world.newId()
  await addUser(store, { name: username, password }, world)
  const { clientId, clientSecret } = await addApp(store, 'first app', world)
  return { username, password, clientId, clientSecret }
}

/**
 * What is printed once after a first run: secrets, and lines for any POSIX shell that get a token, create a thing and
 * list it. Every value is made of letters, digits, `-` and `_`, so nothing needs more quoting.
 */
export function describeFirstRun(run: FirstRun, baseUrl: string, folder: string): string {
  return `
This data folder was empty, so a user and an app were made. Their secrets are shown this once:

  base address   ${baseUrl}
  data folder    ${folder}
  user           ${run.username}
  password       ${run.password}
  client id      ${run.clientId}
  client secret  ${run.clientSecret}

Paste these lines into a shell: they get a token, create a thing, and list it.

TOKEN=$(curl -sS -d grant_type=password -d client_id=${run.clientId} -d client_secret=${run.clientSecret} -d username=${run.username} -d password=${run.password} '${baseUrl}token' | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')
curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" --data-urlencode 'new_thing={"local_id":"1","title":"My first thing"}' '${baseUrl}sync'
curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" '${baseUrl}sync'

`
}
