import { right } from '../server/behaviour.ts'
import { askAnyway, leadTo } from '../server/right-flow.ts'
import { openSession } from '../server/token-endpoint.ts'
import type { JsonObject } from '../server/world.ts'
import { errors, type Fault, without } from './fault.ts'

const metadata = (edit: (metadata: JsonObject) => JsonObject): Fault['behaviour'] => ({
  metadata: (server) => edit(right.metadata(server) as JsonObject),
})

/** Faults against the contract's decisions on the web flow, as far as they are seen without a browser. */
export const webFlowFaults: readonly Fault[] = [
  {
    id: 'metadata-missing',
    title: 'has no metadata',
    behaviour: {
      reply: (reply, { path }) =>
        path.includes('.well-known') ? { status: 404, headers: {}, body: { error: 'not_found' } } : reply,
    },
  },
  {
    id: 'metadata-without-issuer',
    title: 'leaves the issuer out of its metadata',
    behaviour: metadata((all) => without(all, 'issuer')),
  },
  {
    id: 'metadata-other-authorize',
    title: 'puts /authorize below the version segment in its metadata',
    behaviour: metadata((all) => ({ ...all, authorization_endpoint: `${all.issuer}/v1/authorize` })),
  },
  {
    id: 'metadata-other-token',
    title: 'leaves the version segment out of the token endpoint in its metadata',
    behaviour: metadata((all) => ({ ...all, token_endpoint: `${all.issuer}/token` })),
  },
  {
    id: 'metadata-without-code',
    title: 'names no response type in its metadata',
    behaviour: metadata((all) => ({ ...all, response_types_supported: [] })),
  },
  {
    id: 'metadata-without-code-grant',
    title: 'names only the password grant in its metadata',
    behaviour: metadata((all) => ({ ...all, grant_types_supported: ['password'] })),
  },
  {
    id: 'metadata-plain-challenge',
    title: 'offers the challenge method plain',
    behaviour: metadata((all) => ({ ...all, code_challenge_methods_supported: ['S256', 'plain'] })),
  },
  {
    id: 'code-grant-unsupported',
    title: 'knows no authorization_code grant',
    behaviour: { grantType: (grant) => (grant === 'authorization_code' ? 'unknown' : grant) },
  },
  {
    id: 'code-unknown-granted',
    title: 'gives tokens for any code with a verifier',
    behaviour: {
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
    },
  },
  {
    id: 'code-missing-other-code',
    title: 'calls a missing code invalid_grant',
    behaviour: errors('code-missing', (body) => ({ ...body, error: 'invalid_grant' })),
  },
  {
    id: 'code-client-unchecked',
    title: 'does not check the client secret of a code',
    behaviour: {
      clientAccepted: (world, id, secret, grant) =>
        grant === 'authorization_code' && secret !== ''
          ? id === world.clientId
          : right.clientAccepted(world, id, secret, grant),
    },
  },
  {
    id: 'code-client-secret-optional',
    title: 'takes a code without the secret of a client that has one',
    behaviour: {
      clientAccepted: (world, id, secret, grant) =>
        grant === 'authorization_code' && secret === ''
          ? id === world.clientId
          : right.clientAccepted(world, id, secret, grant),
    },
  },
  {
    id: 'authorize-unknown-app-leads-away',
    title: 'sends the browser of an unknown app to the address that was asked for',
    behaviour: {
      authorizeUnknown: (what, redirect) =>
        what === 'app' ? { ...leadTo(redirect), status: 400 } : right.authorizeUnknown(what, redirect),
    },
  },
  {
    id: 'authorize-unknown-app-200',
    title: 'asks the person for an unknown app',
    behaviour: {
      authorizeUnknown: (what, redirect) => (what === 'app' ? askAnyway() : right.authorizeUnknown(what, redirect)),
    },
  },
  {
    id: 'authorize-any-redirect-leads-away',
    title: 'names an address in Location that the app has not registered',
    behaviour: {
      authorizeUnknown: (what, redirect) =>
        what === 'redirect' ? { ...leadTo(redirect), status: 400 } : right.authorizeUnknown(what, redirect),
    },
  },
  {
    id: 'authorize-any-redirect-200',
    title: 'asks the person whatever the redirect address',
    behaviour: {
      authorizeUnknown: (what, redirect) =>
        what === 'redirect' ? askAnyway() : right.authorizeUnknown(what, redirect),
    },
  },
]
