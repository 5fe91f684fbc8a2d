import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { openSession } from '../server/token-endpoint.ts'
import { answered, errors, type Fault, fault, grants, status, without } from './fault.ts'

/** Faults against the contract's decisions on the token endpoint. */
export const fullTokenFaults: readonly Fault[] = [
  fault(
    'refresh-token-name-missing',
    'gives no refresh_token beside request_token',
    grants((answer) => without(answer, 'refresh_token')),
  ),
  fault(
    'grant-type-missing-other-code',
    'calls a missing parameter of a grant invalid_grant',
    errors('grant-request', (body) => ({ ...body, error: 'invalid_grant' })),
  ),
  fault('token-reuse-granted', 'ends the session of a reused request token, and gives a new one', {
    endsReusedSession: false,
    refreshedSession: ({ session, pair }, world) => {
      if (!session.pairs.some(({ parent, used }) => parent === pair && used)) return session
      session.revoked = true
      return openSession(world, session.username)
    },
  }),
  fault('token-reuse-keeps-session', 'refuses a reused request token, and does not end the session', {
    endsReusedSession: false,
    refreshedSession: ({ session, pair }) => {
      if (!session.pairs.some(({ parent, used }) => parent === pair && used)) return session
      throw new Refusal('grant-refused', 'the request token was used before')
    },
  }),
  fault('revoked-access-works', 'ends only the request token of a session', {
    findAccessToken: ({ sessions }, token) => {
      const session = sessions.find(({ pairs }) => pairs.some(({ access }) => access === token))
      const pair = session?.pairs.find(({ access }) => access === token)
      return session === undefined || pair === undefined ? undefined : { session, pair }
    },
  }),
  fault('revoke-not-200', 'answers a revocation with 202', answered('revoke', 202)),
  fault('token-cacheable', 'lets token answers be cached', { tokenHeaders: {} }),
  fault('token-basic-refused', 'reads no client in HTTP Basic', { readsBasic: false }),
  fault('token-error-status-200', 'refuses grants with 200', {
    errorStatus: (refusal) => (refusal.reason.startsWith('grant-') ? 200 : right.errorStatus(refusal)),
  }),
  fault('token-invalid-client-400', 'refuses a client with 400', status('grant-client', 400)),
  fault(
    'token-unsupported-grant-other-code',
    'calls an unknown grant type invalid_request',
    errors('grant-unknown', (body) => ({ ...body, error: 'invalid_request' })),
  ),
  fault('token-lost-answer-refused', 'does not let a refresh be repeated', { toleratesLostRefresh: false }),
  fault('token-reuse-ignored', 'lets an old request token be used again and again', { endsReusedSession: false }),
  fault('revoke-ignored', 'revokes nothing', { revokes: false }),
]
