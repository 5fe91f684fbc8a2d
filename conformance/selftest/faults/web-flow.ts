import { right } from '../server/behaviour.ts'
import { askAnyway, leadTo } from '../server/right-flow.ts'
import { openSession } from '../server/token-endpoint.ts'
import type { JsonObject } from '../server/world.ts'
import { errors, type Fault, fault, without } from './fault.ts'

const metadata = (edit: (metadata: JsonObject) => JsonObject): Fault['behaviour'] => ({
  metadata: (server) => edit(right.metadata(server) as JsonObject),
})

/** Faults against the contract's decisions on the web flow, as far as they are seen without a browser. */
export const webFlowFaults: readonly Fault[] = [
  fault('metadata-missing', 'has no metadata', {
    reply: (reply, { path }) =>
      path.includes('.well-known') ? { status: 404, headers: {}, body: { error: 'not_found' } } : reply,
  }),
  fault(
    'metadata-without-issuer',
    'leaves the issuer out of its metadata',
    metadata((all) => without(all, 'issuer')),
  ),
  fault(
    'metadata-other-authorize',
    'puts /authorize below the version segment in its metadata',
    metadata((all) => ({ ...all, authorization_endpoint: `${all.issuer}/v1/authorize` })),
  ),
  fault(
    'metadata-other-token',
    'leaves the version segment out of the token endpoint in its metadata',
    metadata((all) => ({ ...all, token_endpoint: `${all.issuer}/token` })),
  ),
  fault(
    'metadata-without-code',
    'names no response type in its metadata',
    metadata((all) => ({ ...all, response_types_supported: [] })),
  ),
  fault(
    'metadata-without-code-grant',
    'names only the password grant in its metadata',
    metadata((all) => ({ ...all, grant_types_supported: ['password'] })),
  ),
  fault(
    'metadata-plain-challenge',
    'offers the challenge method plain',
    metadata((all) => ({ ...all, code_challenge_methods_supported: ['S256', 'plain'] })),
  ),
  fault('code-grant-unsupported', 'knows no authorization_code grant', {
    grantType: (grant) => (grant === 'authorization_code' ? 'unknown' : grant),
  }),
  fault('code-unknown-granted', 'gives tokens for any code with a verifier', {
    codeGranted: (exchange) => {
      if (!exchange.body.some(([name]) => name === 'code_verifier')) return right.codeGranted(exchange)
      const { world } = exchange
      const [username = ''] = world.accounts.keys()
      const session = openSession(world, username)
      const [access, request] = ['access', 'request'].map((kind) =>
        right.newToken(kind as 'access' | 'request', username, undefined),
      ) as [string, string]
      session.pairs.push({ access, request, parent: undefined, used: false })
      const body = {
        access_token: access,
        expires_in: 3600,
        request_token: request,
        token_type: 'bearer',
        scope: null,
      }
      return { status: 200, headers: {}, body }
    },
  }),
  fault(
    'code-missing-other-code',
    'calls a missing code invalid_grant',
    errors('code-missing', (body) => ({ ...body, error: 'invalid_grant' })),
  ),
  fault('code-client-unchecked', 'does not check the client secret of a code', {
    clientAccepted: (world, id, secret, grant) =>
      grant === 'authorization_code' && secret !== ''
        ? id === world.clientId
        : right.clientAccepted(world, id, secret, grant),
  }),
  fault('code-client-secret-optional', 'takes a code without the secret of a client that has one', {
    clientAccepted: (world, id, secret, grant) =>
      grant === 'authorization_code' && secret === ''
        ? id === world.clientId
        : right.clientAccepted(world, id, secret, grant),
  }),
  fault('authorize-unknown-app-leads-away', 'sends the browser of an unknown app to the address that was asked for', {
    authorizeUnknown: (what, redirect) =>
      what === 'app' ? { ...leadTo(redirect), status: 400 } : right.authorizeUnknown(what, redirect),
  }),
  fault('authorize-unknown-app-200', 'asks the person for an unknown app', {
    authorizeUnknown: (what, redirect) => (what === 'app' ? askAnyway() : right.authorizeUnknown(what, redirect)),
  }),
  fault('authorize-any-redirect-leads-away', 'names an address in Location that the app has not registered', {
    authorizeUnknown: (what, redirect) =>
      what === 'redirect' ? { ...leadTo(redirect), status: 400 } : right.authorizeUnknown(what, redirect),
  }),
  fault('authorize-any-redirect-200', 'asks the person whatever the redirect address', {
    authorizeUnknown: (what, redirect) => (what === 'redirect' ? askAnyway() : right.authorizeUnknown(what, redirect)),
  }),
]
