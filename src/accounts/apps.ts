import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { parseUrl } from '../parse-url.ts'
import type { App, RegistryDraft, RegistryReader, Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { AccountError, validateName } from './names.ts'
import { hashSecret, isContinuable, isExpired, isSameHash } from './sessions.ts'

/** The credentials of a new app. The developer sees the secret once: the store keeps only its hash (interface 5). */
export interface AppCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
}

/** The optional fields of an app. */
export interface AppDetails {
  readonly redirectUris?: readonly string[]
  /** Respond to it with the fields of RFC 6749 only (contract, standard fields). */
  readonly isStandard?: boolean
}

/** The maximum number of apps that a user may register. */
export const maxApps = 100

/** The user who registers an app. The administrator's apps have no owner. */
interface AppOwner {
  readonly ownerId?: string
}

const publicClientWithoutUri =
  'a public client needs a redirect URI: without a secret it can only use the authorization code flow'

const createApp = (given: string, details: AppDetails & AppOwner, environment: Environment): App => {
  const name = given.trim()
  validateName('app', name)
  validateRedirectUris(details.redirectUris ?? [])
  return { clientId: environment.newId(), name, createdAt: Math.floor(environment.now() / 1000), ...details }
}

/**
 * Registers a confidential client. Several apps may have the same name.
 * @throws AccountError when the name or a redirect URI is not allowed
 */
export const addApp = async (
  store: Store,
  name: string,
  environment: Environment,
  details: AppDetails & AppOwner = {},
): Promise<AppCredentials> => {
  const app = createApp(name, details, environment)
  const clientSecret = environment.newSecret()
  await store.registry.change((registry) => registry.put('apps', { ...app, secretHash: hashSecret(clientSecret) }))
  return { clientId: app.clientId, clientSecret, name: app.name }
}

/**
 * Registers a public client: an app that cannot keep a secret. It has none, and authenticates its requests with PKCE.
 * @throws AccountError when the name or a redirect URI is not allowed, or there is no redirect URI
 */
export const addPublicClient = async (
  store: Store,
  name: string,
  environment: Environment,
  details: AppDetails & AppOwner,
): Promise<App> => {
  if ((details.redirectUris ?? []).length === 0) {
    throw new AccountError(publicClientWithoutUri)
  }
  const app = createApp(name, details, environment)
  await store.registry.change((registry) => registry.put('apps', app))
  return app
}

const findApp = async (registry: RegistryReader, clientId: string): Promise<App> => {
  const app = await registry.findApp(clientId)
  if (app !== undefined) return app
  throw new AccountError(`there is no app with the client ID "${clientId}"; "app list" shows all apps`)
}

/**
 * Changes the given fields of an app; the others stay. Its sessions stay valid.
 * @throws AccountError when there is no such app, or the name or a redirect URI is not allowed
 */
export const changeApp = (
  store: Store,
  clientId: string,
  changes: AppDetails & { readonly name?: string },
): Promise<void> =>
  store.registry.change(async (registry) => {
    const existing = await findApp(registry, clientId)
    const name = changes.name?.trim() ?? existing.name
    validateName('app', name)
    const app = { ...existing, ...changes, name }
    validateRedirectUris(app.redirectUris ?? [])
    if (isPublicClient(app) && (app.redirectUris ?? []).length === 0) {
      throw new AccountError(publicClientWithoutUri)
    }
    await registry.put('apps', app)
  })

/**
 * Gives an app a new secret. The old secret stops working at once; the sessions continue with the new one.
 * @throws AccountError when there is no such app, or it is a public client and has no secret
 */
export const rotateAppSecret = (store: Store, clientId: string, environment: Environment): Promise<AppCredentials> =>
  store.registry.change(async (registry) => {
    const app = await findApp(registry, clientId)
    if (isPublicClient(app)) throw new AccountError(`the app "${clientId}" is a public client and has no secret`)
    const clientSecret = environment.newSecret()
    await registry.put('apps', { ...app, secretHash: hashSecret(clientSecret) })
    return { clientId, clientSecret, name: app.name }
  })

/** Lists all registered apps. */
export const listApps = (store: Store): Promise<readonly App[]> => store.registry.listApps()

/** Finds the names of apps, by client id. Ids of removed apps, and ids that are not of an app, are missing. */
export const nameApps = async (
  registry: Pick<RegistryReader, 'findApp'>,
  clientIds: readonly string[],
): Promise<Map<string, string>> => {
  const apps = await Promise.all([...new Set(clientIds)].map(registry.findApp))
  return new Map(apps.flatMap((app) => (app === undefined ? [] : [[app.clientId, app.name] as const])))
}

/**
 * Removes an app, ends its sessions, and deletes its authorization codes.
 * @throws AccountError when there is no such app
 */
export const removeApp = (store: Store, clientId: string): Promise<void> =>
  store.registry.change(async (registry) => {
    await findApp(registry, clientId)
    await deleteApp(registry, clientId)
  })

const listSessionsOfApp = async (registry: RegistryReader, clientId: string): Promise<readonly Session[]> => {
  const users = await registry.listUsers()
  const all = await Promise.all(users.map(({ id }) => registry.listSessions(id)))
  return all.flat().filter((session) => session.clientId === clientId)
}

const deleteApp = async (registry: RegistryDraft, clientId: string): Promise<void> => {
  for (const { id } of await listSessionsOfApp(registry, clientId)) await registry.delete('sessions', id)
  for (const { hash } of await registry.listCodesOfApp(clientId)) await registry.delete('codes', hash)
  await registry.delete('apps', clientId)
}

/**
 * Removes the apps of a user within a change of the registry. Call it when the sessions of the user have ended and the
 * user is about to be removed. An app with sessions of other users stays: they did nothing. From then on, only the
 * administrators can change it.
 */
export const deleteUnusedApps = async (registry: RegistryDraft, ownerId: string): Promise<void> => {
  for (const { clientId } of await registry.listAppsOf(ownerId)) {
    const sessions = await listSessionsOfApp(registry, clientId)
    if (sessions.length === 0) await deleteApp(registry, clientId)
  }
}

/**
 * The access of an app to an account:
 * - `active`: it may act for the user;
 * - `signedOut`: it has no access until the user signs in with it again;
 * - `disabled`: it has no access until the account is enabled;
 * - `revoked`: it never has access again, because the app was removed or the personal token has ended.
 */
type AppAccess = 'active' | 'signedOut' | 'disabled' | 'revoked'

const isActive = (session: Session, environment: Environment): boolean => {
  const { personal } = session
  if (personal === undefined) return isContinuable(session, environment)
  return personal.expiresAt === undefined || !isExpired(personal.expiresAt, environment)
}

/** Finds the access of an app to an account now. A personal token is its own app, with the id of its session. */
export const findAppAccess = async (
  { registry }: Pick<Store, 'registry'>,
  userId: string,
  clientId: string,
  environment: Environment,
): Promise<AppAccess> => {
  if (await isDisabled({ registry }, userId)) return 'disabled'
  const isOfApp = (session: Session) => session.clientId === clientId
  const sessions = await registry.listSessions(userId)
  if (sessions.some((session) => isOfApp(session) && isActive(session, environment))) return 'active'
  if ((await registry.findApp(clientId)) !== undefined) return 'signedOut'
  return 'revoked'
}

/** True while the account of the user is disabled. */
export const isDisabled = async ({ registry }: Pick<Store, 'registry'>, userId: string): Promise<boolean> =>
  (await registry.findUser(userId))?.disabledAt !== undefined

/** The credentials that a client presents (interface 5.1); a public client has no secret. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret?: string | undefined
}

/** True for a public client: an app that was registered without a secret, because it cannot keep one. */
export const isPublicClient = ({ secretHash }: App): boolean => secretHash === undefined

/**
 * Finds the registered app that has these credentials. An empty secret counts as no secret.
 * @throws ApiError `clientMissing` without the secret that an app needs, `clientInvalid`
 */
export const checkClient = async (
  registry: Pick<RegistryReader, 'findApp'>,
  { clientId, clientSecret = '' }: ClientCredentials,
): Promise<App> => {
  const app = await registry.findApp(clientId)
  const { secretHash = '' } = app ?? {}
  if (clientSecret === '') {
    if (app === undefined || !isPublicClient(app)) throw new ApiError('clientMissing')
    return app
  }
  const isValid = isSameHash(hashSecret(clientSecret), secretHash)
  if (app === undefined || !isValid) throw new ApiError('clientInvalid')
  return app
}

/** The client id of the web app: a public client like any other, which every server with the web app registers. */
export const webAppId = 'thingsync-web'

const loopback = ['http://127.0.0.1', 'http://[::1]', 'http://localhost']

/** True for https and loopback. Only there do browsers offer Web Crypto, service workers and locks to the web app. */
export const canRunWebApp = (origin: string): boolean =>
  origin.startsWith('https://') || loopback.includes(origin.replace(/:\d+$/, ''))

/** The location of the web app, to which the sign-in redirects users. */
export interface WebAppLocation {
  /** Scheme, host and port that users open; undefined when no setting names them. */
  readonly origin: string | undefined
  /** Path prefix without a trailing slash. */
  readonly prefix: string
}

const listRedirectUris = ({ origin, prefix }: WebAppLocation): readonly string[] =>
  (origin === undefined ? loopback : [origin]).filter(canRunWebApp).map((base) => `${base}${prefix}/`)

/** The client id of the browser extension: a public client, which every server registers by default. */
export const extensionAppId = 'thingsync-extension'

/**
 * The redirect URIs of the published extension. Browsers derive the host from the ID of the extension, and hand a
 * redirect to it only to that extension: the first in Chromium, the second in Firefox. `extension/build/manifest.ts`
 * has the IDs; a test compares both.
 */
export const extensionRedirectUris = [
  'https://dmjhlaicbnlglpnjbjdehknemlheipmo.chromiumapp.org/',
  'https://2cb7ee561e407aaafb9719b409be8dbe6c0edea4.extensions.allizom.org/',
] as const

const builtInAppIds: ReadonlySet<string> = new Set([webAppId, extensionAppId])

/** True for an app that the server registers by itself, such as the web app. */
export const isBuiltInApp = ({ clientId }: Pick<App, 'clientId'>): boolean => builtInAppIds.has(clientId)

/** The apps that a server registers by itself; an absent one is not registered. */
export interface BuiltInApps {
  readonly webApp?: WebAppLocation
  readonly extension?: boolean
}

/**
 * Registers the built-in apps. The web app gets the redirect URIs of its location, so that it works again after the
 * server has moved. Does not write a registry that has the apps with these URIs already. An earlier entry of an absent
 * app stays.
 */
export const registerBuiltInApps = async (
  store: Store,
  { webApp, extension = false }: BuiltInApps,
  environment: Environment,
): Promise<void> => {
  const wanted = [
    ...(webApp === undefined
      ? []
      : [{ clientId: webAppId, name: 'thingsync in the browser', redirectUris: listRedirectUris(webApp) }]),
    ...(extension
      ? [{ clientId: extensionAppId, name: 'thingsync browser extension', redirectUris: extensionRedirectUris }]
      : []),
  ]
  const changed: App[] = []
  for (const app of wanted) {
    const existing = await store.registry.findApp(app.clientId)
    if (existing !== undefined && existing.redirectUris?.join(' ') === app.redirectUris.join(' ')) continue
    changed.push({ ...app, createdAt: existing?.createdAt ?? Math.floor(environment.now() / 1000) })
  }
  if (changed.length === 0) return
  await store.registry.change(async (registry) => {
    for (const app of changed) await registry.put('apps', app)
  })
}

/**
 * True when the user allowed this app before, so that no consent page is needed. That holds while a session exists that
 * the authorization code flow began with the same redirect URI and with the app's present name. It holds only where
 * nobody can impersonate the app: for an https redirect URI of a confidential client (RFC 8252, 8.6).
 */
export const hasConsented = async (
  registry: Pick<RegistryReader, 'listSessions'>,
  { userId, app, redirectUri }: { readonly userId: string; readonly app: App; readonly redirectUri: string },
  environment: Environment,
): Promise<boolean> => {
  if (isPublicClient(app) || !redirectUri.startsWith('https://')) return false
  const sessions = await registry.listSessions(userId)
  return sessions.some(
    (session) =>
      session.clientId === app.clientId &&
      session.allowed?.name === app.name &&
      session.allowed.redirectUri === redirectUri &&
      isContinuable(session, environment),
  )
}

const maxRedirectUris = 20
const maxUriCharacters = 2000

const loopbackUri = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?=[/?]|$)/
const ownScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//

/** Parameters of the response. An app could mistake one in its registered URI for a part of the response. */
const responseParameters: ReadonlySet<string> = new Set([
  'code',
  'state',
  'error',
  'error_description',
  'error_uri',
  'iss',
])

const findUriProblem = (uri: string): string | undefined => {
  if (uri.length > maxUriCharacters) return `has more than ${maxUriCharacters} characters`
  const url = parseUrl(uri)
  if (url === undefined) return 'is not an absolute URL'
  const { protocol, username, password, href, searchParams } = url
  const reserved = [...searchParams.keys()].find((name) => responseParameters.has(name))
  if (reserved !== undefined) return `has ${reserved} in its query, which is a parameter of the response`
  if (uri.includes('#')) return 'has a fragment; remove the part from # on'
  if (username !== '' || password !== '') return 'has a user name or password in it'
  if (uri.includes('*')) return 'has a * in it; give each URI in full'
  if (protocol === 'http:' && !loopbackUri.test(href))
    return 'uses http, which only http://127.0.0.1, http://[::1] and http://localhost may use; use https'
  if (protocol !== 'http:' && protocol !== 'https:' && !ownScheme.test(uri))
    return 'has a scheme that is not allowed; use https, or a scheme of your own with a dot in it, like com.example.app:/back'
  // URIs are compared character by character, and a browser is sent to the normal form.
  return href === uri || href === `${uri}/` ? undefined : `must be written ${href}`
}

/**
 * Checks that an app may register these redirect URIs (contract, authorization code flow, redirect_uri).
 * @throws AccountError for more than 20 URIs, or for one that is not allowed
 */
export const validateRedirectUris = (uris: readonly string[]): void => {
  if (uris.length > maxRedirectUris) throw new AccountError(`an app may have at most ${maxRedirectUris} redirect URIs`)
  for (const uri of uris) {
    const problem = findUriProblem(uri)
    if (problem !== undefined)
      throw new AccountError(`the redirect URI ${JSON.stringify(uri.slice(0, 200))} ${problem}`)
  }
}
