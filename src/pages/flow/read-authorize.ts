import { isPublicApp } from '../../accounts/check-client.ts'
import { type AuthorizeVerdict, type GivenFields, judgeAuthorize } from '../../oauth/judge-authorize.ts'
import type { App, RegistryReader } from '../../store/registry/registry.ts'
import { decodeFormLoosely } from '../../wire/decode-form.ts'

// Many more than the parameters that there are.
const mostFields = 100

/** An app, as a request of it is judged. */
export interface KnownApp {
  readonly app: App
  readonly redirectUris: readonly string[]
  readonly isPublic: boolean
}

/** What became of a request for authorization. */
export type Verdict = AuthorizeVerdict<KnownApp>

/** The parameters of `/authorize` that a form passes on; others are not looked at. */
const known: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
])

type ReadField = readonly [name: string, value: string]

/** Those fields of a query that are parameters of `/authorize`. */
const pickAuthorizeFields = (fields: GivenFields): readonly ReadField[] =>
  fields.filter((field): field is ReadField => known.has(field[0]) && field[1] !== undefined)

/** Judges a request for authorization by what the registry says of its app. */
export const readAuthorize = (fields: GivenFields, registry: Pick<RegistryReader, 'findApp'>): Promise<Verdict> =>
  judgeAuthorize(fields, async (clientId) => {
    const app = await registry.findApp(clientId)
    return app && { app, redirectUris: app.redirectUris ?? [], isPublic: isPublicApp(app) }
  })

/** A request as one line of ASCII, for a form to pass on: browsers change line ends and NUL in fields, and `state` with them. */
export const writeAuthorizeQuery = (fields: GivenFields): string =>
  `${new URLSearchParams(pickAuthorizeFields(fields).map(([name, value]) => [name, value]))}`

/** The request that a form passed on. */
export const readAuthorizeQuery = (query: string): GivenFields => decodeFormLoosely(Buffer.from(query), mostFields)

/** The path at which a request can be asked again, after a sign-in. */
export const pathOfAuthorize = (fields: GivenFields): string => `/authorize?${writeAuthorizeQuery(fields)}`

/** The request that a path of ours asks; undefined for any other page. */
export const readAuthorizePath = async (
  path: string,
  registry: Pick<RegistryReader, 'findApp'>,
): Promise<Verdict | undefined> => {
  const { pathname, searchParams } = new URL(path, 'http://own.invalid')
  return pathname === '/authorize' ? readAuthorize([...searchParams], registry) : undefined
}
