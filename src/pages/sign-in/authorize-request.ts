import { isPublicApp } from '../../accounts/apps.ts'
import { type AuthorizeFields, type AuthorizeResult, checkAuthorizeRequest } from '../../oauth/authorize-request.ts'
import type { App, RegistryReader } from '../../store/registry/registry.ts'
import { decodeFormLeniently } from '../../wire/form.ts'

// Many more than the parameters that there are.
const maxAuthorizeFields = 100

/** An app, as a request of it is judged. */
export interface RegisteredApp {
  readonly app: App
  readonly redirectUris: readonly string[]
  readonly isPublic: boolean
}

/** What became of a request for authorization. */
export type AuthorizeCheck = AuthorizeResult<RegisteredApp>

/** The parameters of `/authorize` that a form passes on; others are not looked at. */
const authorizeParameters: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
])

type ReadField = readonly [name: string, value: string]

/** Those fields of a query that are parameters of `/authorize`. */
const pickAuthorizeFields = (fields: AuthorizeFields): readonly ReadField[] =>
  fields.filter((field): field is ReadField => authorizeParameters.has(field[0]) && field[1] !== undefined)

/** Judges a request for authorization by what the registry says of its app. */
export const checkAuthorize = (
  fields: AuthorizeFields,
  registry: Pick<RegistryReader, 'findApp'>,
): Promise<AuthorizeCheck> =>
  checkAuthorizeRequest(fields, async (clientId) => {
    const app = await registry.findApp(clientId)
    return app && { app, redirectUris: app.redirectUris ?? [], isPublic: isPublicApp(app) }
  })

/** A request as one line of ASCII, for a form to pass on: browsers change line ends and NUL in fields, and `state` with them. */
export const writeAuthorizeQuery = (fields: AuthorizeFields): string =>
  `${new URLSearchParams(pickAuthorizeFields(fields).map(([name, value]) => [name, value]))}`

/** The request that a form passed on. */
export const readAuthorizeQuery = (query: string): AuthorizeFields =>
  decodeFormLeniently(Buffer.from(query), maxAuthorizeFields)

/** The path at which a request can be asked again, after a sign-in. */
export const pathOfAuthorize = (fields: AuthorizeFields): string => `/authorize?${writeAuthorizeQuery(fields)}`

/** The request that a path of ours asks; undefined for any other page. */
export const checkAuthorizePath = async (
  path: string,
  registry: Pick<RegistryReader, 'findApp'>,
): Promise<AuthorizeCheck | undefined> => {
  const { pathname, searchParams } = new URL(path, 'http://own.invalid')
  return pathname === '/authorize' ? checkAuthorize([...searchParams], registry) : undefined
}
