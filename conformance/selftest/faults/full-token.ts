import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { openSession } from '../server/token-endpoint.ts'
import { answered, errors, type Fault, grants, status, without } from './fault.ts'

/** Faults against the contract's decisions on the token endpoint. */
export const fullTokenFaults: readonly Fault[] = [
  {
    id: 'refresh-token-name-missing',
    title: 'gives no refresh_token beside request_token',
    behaviour: grants((answer) => without(answer, 'refresh_token')),
  },
  {
    id: 'grant-type-missing-other-code',
    title: 'calls a missing parameter of a grant invalid_grant',
    behaviour: errors('grant-request', (body) => ({ ...body, error: 'invalid_grant' })),
  },
  {
    id: 'token-reuse-granted',
    title: 'ends the session of a reused request token, and gives a new one',
    behaviour: {
      endsReusedSession: false,
      refreshedSession: ({ session, pair }, world) => {
        if (!session.pairs.some(({ parent, used }) => parent === pair && used)) return session
        session.revoked = true
        return openSession(world, session.username)
      },
    },
  },
  {
    id: 'token-reuse-keeps-session',
    title: 'refuses a reused request token, and does not end the session',
    behaviour: {
      endsReusedSession: false,
      refreshedSession: ({ session, pair }) => {
        if (!session.pairs.some(({ parent, used }) => parent === pair && used)) return session
        throw new Refusal('grant-refused', 'the request token was used before')
      },
    },
  },
  {
    id: 'revoked-access-works',
    title: 'ends only the request token of a session',
    behaviour: {
      findAccessToken: ({ sessions }, token) => {
        const session = sessions.find(({ pairs }) => pairs.some(({ access }) => access === token))
        const pair = session?.pairs.find(({ access }) => access === token)
        return session === undefined || pair === undefined ? undefined : { session, pair }
      },
    },
  },
  { id: 'revoke-not-200', title: 'answers a revocation with 202', behaviour: answered('revoke', 202) },
  { id: 'token-cacheable', title: 'lets token answers be cached', behaviour: { tokenHeaders: {} } },
  { id: 'token-basic-refused', title: 'reads no client in HTTP Basic', behaviour: { readsBasic: false } },
  {
    id: 'token-error-status-200',
    title: 'refuses grants with 200',
    behaviour: {
      errorStatus: (refusal) => (refusal.reason.startsWith('grant-') ? 200 : right.errorStatus(refusal)),
    },
  },
  { id: 'token-invalid-client-400', title: 'refuses a client with 400', behaviour: status('grant-client', 400) },
  {
    id: 'token-unsupported-grant-other-code',
    title: 'calls an unknown grant type invalid_request',
    behaviour: errors('grant-unknown', (body) => ({ ...body, error: 'invalid_request' })),
  },
  {
    id: 'token-lost-answer-refused',
    title: 'does not let a refresh be repeated',
    behaviour: { toleratesLostRefresh: false },
  },
  {
    id: 'token-reuse-ignored',
    title: 'lets an old request token be used again and again',
    behaviour: { endsReusedSession: false },
  },
  { id: 'revoke-ignored', title: 'revokes nothing', behaviour: { revokes: false } },
]
