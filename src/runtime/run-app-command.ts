import { addApp, addPublicApp, changeApp, listApps, removeApp, rotateAppSecret } from '../accounts/apps.ts'
import { isPublicApp } from '../accounts/check-client.ts'
import type { AccountRow, CommandPlace } from './command-place.ts'

/** A command about apps, as JSON. */
export type AppCommand =
  | {
      readonly name: 'app add'
      readonly app: string
      readonly redirectUris: readonly string[]
      readonly isPublic: boolean
      readonly isStandard: boolean
    }
  | {
      readonly name: 'app change'
      readonly clientId: string
      readonly changes: Readonly<{ name?: string; redirectUris?: readonly string[]; isStandard?: boolean }>
    }
  | { readonly name: 'app remove' | 'app rotate-secret'; readonly clientId: string }
  | { readonly name: 'app list' }

/** Runs a command about apps. @throws AccountRefused; faults */
export async function runAppCommand(place: CommandPlace, command: AppCommand): Promise<readonly AccountRow[]> {
  const { store, world } = place
  switch (command.name) {
    case 'app add': {
      const { app, redirectUris, isPublic, isStandard } = command
      const details = { ...(redirectUris.length > 0 && { redirectUris }), ...(isStandard && { isStandard }) }
      if (!isPublic) return [showSecret(await addApp(store, app, world, details))]
      const { clientId, name } = await addPublicApp(store, app, world, details)
      return [{ client_id: clientId, name }]
    }
    case 'app change':
      await changeApp(store, command.clientId, command.changes)
      return (await listAll(place)).filter(({ client_id }) => client_id === command.clientId)
    case 'app rotate-secret':
      return [showSecret(await rotateAppSecret(store, command.clientId, world))]
    case 'app remove':
      await removeApp(store, command.clientId)
      return [{ client_id: command.clientId }]
    case 'app list':
      return listAll(place)
  }
}

const showSecret = ({ clientId, clientSecret, name }: Awaited<ReturnType<typeof addApp>>): AccountRow => ({
  client_id: clientId,
  client_secret: clientSecret,
  name,
})

const listAll = async ({ store }: CommandPlace): Promise<readonly AccountRow[]> => {
  const names = new Map((await store.registry.listUsers()).map(({ id, name }) => [id, name]))
  return (await listApps(store)).map((app) => ({
    client_id: app.clientId,
    name: app.name,
    date: app.createdAt,
    type: isPublicApp(app) ? 'public' : 'confidential',
    standard: app.isStandard === true,
    owner: names.get(app.ownerId ?? '') ?? null,
    redirect_uris: app.redirectUris ?? [],
  }))
}
