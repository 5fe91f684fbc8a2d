import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { parseUrl } from '../parse-url.ts'
import type { App, RegistryDraft, RegistryReader, Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { AccountError, validateName } from './names.ts'
import { hashSecret, isContinuable, isExpired, isSameHash } from './sessions.ts'

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
export const maxApps = 100

/** Who registers an app, when it is not the operator. */
interface AppOwner {
  readonly ownerId?: string
}

const createApp = (given: string, details: AppDetails & AppOwner, environment: Environment): App => {
  const name = given.trim()
  validateName('app', name)
  validateRedirectUris(details.redirectUris ?? [])
  return { clientId: environment.newId(), name, createdAt: Math.floor(environment.now() / 1000), ...details }
}

/**
 * Registers an app that can keep a secret; several may have the same name.
 * @throws AccountError when the name or a redirect address is not allowed
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
 * Registers a public app, which runs where everybody could read a secret: it has none, and proves itself by PKCE.
 * @throws AccountError when the name or a redirect address is not allowed, or it has no redirect address
 */
export const addPublicApp = async (
  store: Store,
  name: string,
  environment: Environment,
  details: AppDetails & AppOwner,
): Promise<App> => {
  if ((details.redirectUris ?? []).length === 0) {
    throw new AccountError('a public app needs a redirect address: without a secret it can only use the web flow')
  }
  const app = createApp(name, details, environment)
  await store.registry.change((registry) => registry.put('apps', app))
  return app
}

const findApp = async (registry: RegistryReader, clientId: string): Promise<App> => {
  const app = await registry.findApp(clientId)
  if (app !== undefined) return app
  throw new AccountError(`there is no app with the client id "${clientId}"; "app list" shows all apps`)
}

/**
 * Changes what is said of an app; what is not given stays. Its sessions go on.
 * @throws AccountError when there is no such app, or the name or a redirect address is not allowed
 */
export const changeApp = (
  store: Store,
  clientId: string,
  changes: AppDetails & { readonly name?: string },
): Promise<void> =>
  store.registry.change(async (registry) => {
    const known = await findApp(registry, clientId)
    const name = changes.name?.trim() ?? known.name
    validateName('app', name)
    const app = { ...known, ...changes, name }
    validateRedirectUris(app.redirectUris ?? [])
    if (isPublicApp(app) && (app.redirectUris ?? []).length === 0) {
      throw new AccountError('a public app needs a redirect address: without a secret it can only use the web flow')
    }
    await registry.put('apps', app)
  })

/**
 * Gives an app a new secret; the old one stops working at once, and the sessions go on with the new one.
 * @throws AccountError when there is no such app, or it is public and has no secret
 */
export const rotateAppSecret = (store: Store, clientId: string, environment: Environment): Promise<AppCredentials> =>
  store.registry.change(async (registry) => {
    const app = await findApp(registry, clientId)
    if (isPublicApp(app)) throw new AccountError(`the app "${clientId}" is public and has no secret`)
    const clientSecret = environment.newSecret()
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
 * Removes, within a change of the registry, the apps of a user who is about to go and whose sessions have ended. One that
 * others are signed in with stays as it is, for they did nothing; from then on only the operator and admins can change it.
 */
export const deleteUnusedApps = async (registry: RegistryDraft, ownerId: string): Promise<void> => {
  for (const { clientId } of await registry.listAppsOf(ownerId)) {
    const sessions = await listSessionsOfApp(registry, clientId)
    if (sessions.length === 0) await deleteApp(registry, clientId)
  }
}

/**
 * What an app may do for a user: act for the user, nothing until the user signs in with it again, nothing until the
 * account is enabled, or nothing ever again, because the app was removed or the personal token has ended.
 */
type AppAccess = 'living' | 'signedOut' | 'disabled' | 'gone'

const isActive = (session: Session, environment: Environment): boolean => {
  const { personal } = session
  if (personal === undefined) return isContinuable(session, environment)
  return personal.expiresAt === undefined || !isExpired(personal.expiresAt, environment)
}

/**
 * Judges what an app may do for a user now. A personal token is its own app, by the id of its session.
 */
export const findAppAccess = async (
  { registry }: Pick<Store, 'registry'>,
  userId: string,
  clientId: string,
  environment: Environment,
): Promise<AppAccess> => {
  if (await isDisabled({ registry }, userId)) return 'disabled'
  const isOfApp = (session: Session) => session.clientId === clientId
  const sessions = await registry.listSessions(userId)
  if (sessions.some((session) => isOfApp(session) && isActive(session, environment))) return 'living'
  if ((await registry.findApp(clientId)) !== undefined) return 'signedOut'
  return 'gone'
}

/** True while the account of the user is disabled. */
export const isDisabled = async ({ registry }: Pick<Store, 'registry'>, userId: string): Promise<boolean> =>
  (await registry.findUser(userId))?.disabledAt !== undefined

/** The credentials of an app (interface 5.1); a public app has no secret. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret?: string | undefined
}

/** True when the app was registered without a secret, because it could not keep one. */
export const isPublicApp = ({ secretHash }: App): boolean => secretHash === undefined

/**
 * Makes sure that the credentials are those of a registered app, and gives it. An empty secret is none.
 * @throws ApiError `clientInvalid`
 */
export const checkClient = async (
  registry: Pick<RegistryReader, 'findApp'>,
  { clientId, clientSecret = '' }: ClientCredentials,
): Promise<App> => {
  const app = await registry.findApp(clientId)
  const { secretHash = '' } = app ?? {}
  const isRight =
    clientSecret === '' ? app !== undefined && isPublicApp(app) : isSameHash(hashSecret(clientSecret), secretHash)
  if (app === undefined || !isRight) throw new ApiError('clientInvalid')
  return app
}

/** The client id of the web app, which every server with it knows: a public app like any other. */
export const webAppId = 'thingsync-web'

const loopback = ['http://127.0.0.1', 'http://[::1]', 'http://localhost']

/** Browsers give the web app what it needs (Web Crypto, service workers, locks) only over https and on the own machine. */
export const canRunWebApp = (origin: string): boolean =>
  origin.startsWith('https://') || loopback.includes(origin.replace(/:\d+$/, ''))

/** Where the web app may be, which is where people come back to from the sign-in. */
export interface WebAppLocation {
  /** Scheme, host and port that people use; undefined where nobody has said it. */
  readonly origin: string | undefined
  /** Path prefix without a slash at its end. */
  readonly prefix: string
}

const listRedirectUris = ({ origin, prefix }: WebAppLocation): readonly string[] =>
  (origin === undefined ? loopback : [origin]).filter(canRunWebApp).map((one) => `${one}${prefix}/`)

/**
 * Makes the web app known to the registry, and its redirect addresses those of this place: a server that has moved takes
 * its people along. A registry that knows it so is not written.
 */
export const registerWebApp = async (store: Store, place: WebAppLocation, environment: Environment): Promise<void> => {
  const redirectUris = listRedirectUris(place)
  const known = await store.registry.findApp(webAppId)
  if (known !== undefined && known.redirectUris?.join(' ') === redirectUris.join(' ')) return
  const createdAt = known?.createdAt ?? Math.floor(environment.now() / 1000)
  await store.registry.change((registry) =>
    registry.put('apps', { clientId: webAppId, name: 'thingsync in the browser', createdAt, redirectUris }),
  )
}

/**
 * True when the user allowed this app before and need not be asked again: while a session lives that the web flow began
 * at the same redirect address, under the name that the app has now, and only where nobody else can take the app's
 * place, which is an https address of an app with a secret (RFC 8252, 8.6).
 */
export const hasConsented = async (
  registry: Pick<RegistryReader, 'listSessions'>,
  { userId, app, redirectUri }: { readonly userId: string; readonly app: App; readonly redirectUri: string },
  environment: Environment,
): Promise<boolean> => {
  if (isPublicApp(app) || !redirectUri.startsWith('https://')) return false
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

/** What comes back in the query; an app could take what is registered there for it. */
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
  if (url === undefined) return 'is no absolute address'
  const { protocol, username, password, href, searchParams } = url
  const answers = [...searchParams.keys()].find((name) => responseParameters.has(name))
  if (answers !== undefined) return `has ${answers} in its query, which is what the answer says there`
  if (uri.includes('#')) return 'has a fragment; leave away what begins with #'
  if (username !== '' || password !== '') return 'has a user name or password in it'
  if (uri.includes('*')) return 'has a * in it; each address must be given in full'
  if (protocol === 'http:' && !loopbackUri.test(href))
    return 'is http; that is for http://127.0.0.1, http://[::1] and http://localhost only, use https'
  if (protocol !== 'http:' && protocol !== 'https:' && !ownScheme.test(uri))
    return 'has a scheme that is not allowed; use https, or a scheme of your own with a dot in it, like com.example.app:/back'
  // Compared to the letter, and a browser is sent to the normal form.
  return href === uri || href === `${uri}/` ? undefined : `has to be written ${href}`
}

/**
 * Makes sure that people may be sent back to these addresses (contract, the web flow, redirect_uri).
 * @throws AccountError
 */
export const validateRedirectUris = (uris: readonly string[]): void => {
  if (uris.length > maxRedirectUris) throw new AccountError(`an app may have ${maxRedirectUris} redirect addresses`)
  for (const uri of uris) {
    const wrong = findUriProblem(uri)
    if (wrong !== undefined)
      throw new AccountError(`the redirect address ${JSON.stringify(uri.slice(0, 200))} ${wrong}`)
  }
}
