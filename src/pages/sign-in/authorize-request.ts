import { isPublicClient, webAppId } from '../../accounts/apps.ts'
import {
  type AuthorizeFields,
  type AuthorizeRequest,
  type AuthorizeResult,
  checkAuthorizeRequest,
} from '../../oauth/authorize-request.ts'
import type { App, RegistryReader } from '../../store/registry/registry.ts'
import { decodeFormLeniently } from '../../wire/form.ts'
import type { AboutServer } from '../page.ts'
import { servesWebApp } from '../signed-in.ts'
import type { Site } from '../site.ts'

// Far above the number of known parameters.
const maxAuthorizeFields = 100

/** A registered app, in the form that the check of its request needs. */
export interface RegisteredApp {
  readonly app: App
  readonly redirectUris: readonly string[]
  readonly isPublic: boolean
}

/** The outcome of the check of an authorization request. */
export type AuthorizeCheck = AuthorizeResult<RegisteredApp>

/** The parameters of `/authorize` that a form passes on; others are ignored. */
const authorizeParameters: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
])

type ReadField = readonly [name: string, value: string]

/** Picks the fields of a query that are parameters of `/authorize`. */
const pickAuthorizeFields = (fields: AuthorizeFields): readonly ReadField[] =>
  fields.filter((field): field is ReadField => authorizeParameters.has(field[0]) && field[1] !== undefined)

/** Checks an authorization request against its app in the registry. */
export const checkAuthorize = (
  fields: AuthorizeFields,
  registry: Pick<RegistryReader, 'findApp'>,
): Promise<AuthorizeCheck> =>
  checkAuthorizeRequest(fields, async (clientId) => {
    const app = await registry.findApp(clientId)
    return app && { app, redirectUris: app.redirectUris ?? [], isPublic: isPublicClient(app) }
  })

/**
 * True for a request of the web app that this server serves on this origin. The redirect URI must be exactly the URL of
 * the app: the web app registers loopback URIs, and those match at every port, where any program can listen.
 */
export const isOwnWebApp = (
  { app, redirectUri }: AuthorizeRequest<RegisteredApp>,
  site: Site,
  about: AboutServer,
): boolean =>
  servesWebApp(about, site) && app.app.clientId === webAppId && redirectUri === `${site.origin}${site.href('/')}`

/**
 * Encodes a request as one line of ASCII for a form field. Browsers would change line ends and NUL in a plain `state`.
 */
export const writeAuthorizeQuery = (fields: AuthorizeFields): string =>
  `${new URLSearchParams(pickAuthorizeFields(fields).map(([name, value]) => [name, value]))}`

/** Decodes the request that a form passed on. */
export const readAuthorizeQuery = (query: string): AuthorizeFields =>
  decodeFormLeniently(Buffer.from(query), maxAuthorizeFields)

/** Builds the path that repeats a request after a sign-in. */
export const pathOfAuthorize = (fields: AuthorizeFields): string => `/authorize?${writeAuthorizeQuery(fields)}`

/** Checks the authorization request in a path of this server; undefined for any other page. */
export const checkAuthorizePath = async (
  path: string,
  registry: Pick<RegistryReader, 'findApp'>,
): Promise<AuthorizeCheck | undefined> => {
  const { pathname, searchParams } = new URL(path, 'http://own.invalid')
  return pathname === '/authorize' ? checkAuthorize([...searchParams], registry) : undefined
}
