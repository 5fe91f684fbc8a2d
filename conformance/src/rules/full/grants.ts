import { expect } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { readAccessToken } from '../../sessions.ts'
import { describeReply, expectError, expectObject } from './answers.ts'
import { decided } from './decided.ts'

/**
 * Rules of section 5: what the token endpoint answers (contract, token). Each wrong attempt is made once, and never
 * with a wrong password, so that no limit locks the account.
 */
export const grantRules: readonly Rule[] = [
  decided({
    id: 'GRANT-NAME-01',
    title: 'MUST return the request token as refresh_token too',
    section: '5.2',
    clauses: ['K-grant-2'],
    faults: ['refresh-token-name-missing'],
    check: async (lab) => {
      const reply = await lab.token()
      const { refresh_token: refreshToken, request_token: requestToken } = expectObject(reply, 'the grant is correct')
      expect(
        typeof refreshToken === 'string' && refreshToken === requestToken,
        'refresh_token with the value of request_token',
        describeReply(reply),
        reply,
      )
    },
  }),
  decided({
    id: 'GRANT-CACHE-01',
    title: 'MUST send Cache-Control: no-store with tokens',
    section: '5.2',
    clauses: ['K-grant-2'],
    faults: ['token-cacheable', 'token-answer-as-form'],
    check: async (lab) => {
      const reply = await lab.token()
      expectObject(reply, 'the grant is correct')
      const header = reply.headers['cache-control'] ?? '(absent)'
      expect(
        /\bno-store\b/i.test(header),
        'the header Cache-Control: no-store, because the answer holds tokens',
        `it reads ${header}`,
        reply,
      )
    },
  }),
  decided({
    id: 'GRANT-BASIC-01',
    title: 'MUST take the client credentials by HTTP Basic',
    section: '5.1',
    clauses: ['K-grant-1'],
    faults: ['token-basic-refused'],
    check: async (lab) => {
      const { clientId, clientSecret, users } = lab.target
      // RFC 6749 2.3.1: both are form-encoded before they are joined.
      const [id, secret] = [clientId, clientSecret].map((text) => new URLSearchParams([['', text]]).toString().slice(1))
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
      const { username = '', password = '' } = users[0] ?? {}
      const form = [
        ['grant_type', 'password'],
        ['username', username],
        ['password', password],
      ] as const
      readAccessToken(await lab.request({ path: 'token', headers: { authorization }, form }))
    },
  }),
  decided({
    id: 'GRANT-ERROR-01',
    title: 'MUST answer a refused grant 400 invalid_grant',
    section: '5.1',
    clauses: ['K-error-6'],
    faults: ['token-error-status-200'],
    check: async (lab) => {
      expectError(
        await lab.token({ grant_type: 'refresh_token', refresh_token: lab.mark }),
        400,
        'invalid_grant',
        'the refresh token was never issued',
      )
    },
  }),
  decided({
    id: 'GRANT-ERROR-02',
    title: 'MUST answer wrong client credentials 401 invalid_client',
    section: '5.1',
    clauses: ['K-error-6'],
    faults: ['token-invalid-client-400', 'token-access-token-missing', 'token-field-wrapped'],
    check: async (lab) => {
      expectError(await lab.token({ client_secret: lab.mark }), 401, 'invalid_client', 'the client secret is wrong')
      readAccessToken(await lab.token())
    },
  }),
  decided({
    id: 'GRANT-ERROR-03',
    title: 'MUST answer an unknown grant type 400 unsupported_grant_type, a missing one 400 invalid_request',
    section: '5.1',
    clauses: ['K-error-6'],
    faults: ['token-unsupported-grant-other-code', 'grant-type-missing-other-code'],
    check: async (lab) => {
      expectError(
        await lab.token({ grant_type: 'telepathy' }),
        400,
        'unsupported_grant_type',
        'there is no such grant type',
      )
      expectError(await lab.token({ grant_type: undefined }), 400, 'invalid_request', 'grant_type is missing')
    },
  }),
]
