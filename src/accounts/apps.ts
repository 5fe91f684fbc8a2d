import type { App, RegistryDraft, RegistryReader, Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { AccountRefused, refuseBadName } from './account-refused.ts'
import { isPublicApp } from './check-client.ts'
import { hashSecret } from './hash.ts'
import { refuseBadRedirectUris } from './redirect-uris.ts'

/** What the developer of an app is given, once: only a hash of the secret is kept (interface 5). */
export interface AppCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
}

/** What may be said of an app beside its name. */
export interface AppDetails {
  readonly redirectUris?: readonly string[]
  /** Answer it with the fields of RFC 6749 only (contract, standard fields). */
  readonly isStandard?: boolean
}

/** Apps that a user may register; more are a mistake. */
export const mostApps = 100

/** Who registers an app, when it is not the operator. */
export interface AppOwner {
  readonly ownerId?: string
}

const makeApp = (given: string, details: AppDetails & AppOwner, world: World): App => {
  const name = given.trim()
  refuseBadName('app', name)
  refuseBadRedirectUris(details.redirectUris ?? [])
  return { clientId: world.newId(), name, createdAt: Math.floor(world.now() / 1000), ...details }
}

/**
 * Registers an app that can keep a secret; several may have the same name.
 * @throws AccountRefused when the name or a redirect address is not allowed
 */
export const addApp = async (
  store: Store,
  name: string,
  world: World,
  details: AppDetails & AppOwner = {},
): Promise<AppCredentials> => {
  const app = makeApp(name, details, world)
  const clientSecret = world.newSecret()
  await store.registry.change((registry) => registry.put('apps', { ...app, secretHash: hashSecret(clientSecret) }))
  return { clientId: app.clientId, clientSecret, name: app.name }
}

/**
 * Registers a public app, which runs where everybody could read a secret: it has none, and proves itself by PKCE.
 * @throws AccountRefused when the name or a redirect address is not allowed, or it has no redirect address
 */
export const addPublicApp = async (
  store: Store,
  name: string,
  world: World,
  details: AppDetails & AppOwner,
): Promise<App> => {
  if ((details.redirectUris ?? []).length === 0) {
    throw new AccountRefused('a public app needs a redirect address: without a secret it can only use the web flow')
  }
  const app = makeApp(name, details, world)
  await store.registry.change((registry) => registry.put('apps', app))
  return app
}

const findApp = async (registry: RegistryReader, clientId: string): Promise<App> => {
  const app = await registry.findApp(clientId)
  if (app !== undefined) return app
  throw new AccountRefused(`there is no app with the client id "${clientId}"; "app list" shows all apps`)
}

/**
 * Changes what is said of an app; what is not given stays. Its sessions go on.
 * @throws AccountRefused when there is no such app, or the name or a redirect address is not allowed
 */
export const changeApp = (
  store: Store,
  clientId: string,
  changes: AppDetails & { readonly name?: string },
): Promise<void> =>
  store.registry.change(async (registry) => {
    const known = await findApp(registry, clientId)
    const name = changes.name?.trim() ?? known.name
    refuseBadName('app', name)
    const app = { ...known, ...changes, name }
    refuseBadRedirectUris(app.redirectUris ?? [])
    if (isPublicApp(app) && (app.redirectUris ?? []).length === 0) {
      throw new AccountRefused('a public app needs a redirect address: without a secret it can only use the web flow')
    }
    await registry.put('apps', app)
  })

/**
 * Gives an app a new secret; the old one stops working at once, and the sessions go on with the new one.
 * @throws AccountRefused when there is no such app, or it is public and has no secret
 */
export const rotateAppSecret = (store: Store, clientId: string, world: World): Promise<AppCredentials> =>
  store.registry.change(async (registry) => {
    const app = await findApp(registry, clientId)
    if (isPublicApp(app)) throw new AccountRefused(`the app "${clientId}" is public and has no secret`)
    const clientSecret = world.newSecret()
    await registry.put('apps', { ...app, secretHash: hashSecret(clientSecret) })
    return { clientId, clientSecret, name: app.name }
  })

/** All registered apps. */
export const listApps = (store: Store): Promise<readonly App[]> => store.registry.listApps()

/** The names of apps, by client id; those of apps that are gone, and of what is none, are missing. */
export const nameApps = async (
  registry: Pick<RegistryReader, 'findApp'>,
  clientIds: readonly string[],
): Promise<Map<string, string>> => {
  const apps = await Promise.all([...new Set(clientIds)].map(registry.findApp))
  return new Map(apps.flatMap((app) => (app === undefined ? [] : [[app.clientId, app.name] as const])))
}

/**
 * Removes an app, ends its sessions, and forgets the codes that it was given.
 * @throws AccountRefused when there is no such app
 */
export const removeApp = (store: Store, clientId: string): Promise<void> =>
  store.registry.change(async (registry) => {
    await findApp(registry, clientId)
    await dropApp(registry, clientId)
  })

const listSessionsOfApp = async (registry: RegistryReader, clientId: string): Promise<readonly Session[]> => {
  const users = await registry.listUsers()
  const all = await Promise.all(users.map(({ id }) => registry.listSessions(id)))
  return all.flat().filter((session) => session.clientId === clientId)
}

const dropApp = async (registry: RegistryDraft, clientId: string): Promise<void> => {
  for (const { id } of await listSessionsOfApp(registry, clientId)) await registry.delete('sessions', id)
  for (const { hash } of await registry.listCodesOfApp(clientId)) await registry.delete('codes', hash)
  await registry.delete('apps', clientId)
}

/**
 * Removes, within a change of the registry, the apps of a user who is about to go and whose sessions have ended. One that
 * others are signed in with stays as it is, for they did nothing; from then on only the operator and admins can change it.
 */
export const dropUnusedApps = async (registry: RegistryDraft, ownerId: string): Promise<void> => {
  for (const { clientId } of await registry.listAppsOf(ownerId)) {
    const sessions = await listSessionsOfApp(registry, clientId)
    if (sessions.length === 0) await dropApp(registry, clientId)
  }
}
