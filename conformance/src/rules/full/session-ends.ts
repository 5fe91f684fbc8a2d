import type { Reply } from '../../client.ts'
import { expect, expectSame } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import type { Lab } from '../../lab.ts'
import type { Rule } from '../../rule.ts'
import { readAccessToken } from '../../sessions.ts'
import { isSyncAnswer, readSyncAnswer } from '../../sync-answer.ts'
import { describeReply, expectError } from './answers.ts'
import { decided } from './decided.ts'

interface TokenPair {
  readonly access: string
  readonly request: string
}

const readPair = (reply: Reply): TokenPair => {
  const request = reply.json?.request_token
  expect(typeof request === 'string', 'a token answer with a request_token', describeReply(reply), reply)
  return { access: readAccessToken(reply), request }
}

const grant = (lab: Lab): Promise<TokenPair> => asSetup('a password grant', async () => readPair(await lab.token()))

const refresh = (lab: Lab, request: string): Promise<Reply> =>
  lab.token({ grant_type: 'refresh_token', refresh_token: request })

const look = { path: 'sync', query: [['limit', '1']] } as const

const useToken = (lab: Lab, access: string): Promise<Reply> => lab.present(look, access, { kind: 'query' })

/** Rules of section 5: how long a session lasts (contract, token). */
export const sessionRules: readonly Rule[] = [
  decided({
    id: 'GRANT-LOST-01',
    title: 'MUST answer a repeated refresh while the new pair is unused',
    section: '5.2',
    clauses: ['K-grant-3'],
    faults: ['token-lost-answer-refused', 'token-refreshed-not-usable', 'token-refresh-for-whoever-asks'],
    check: async (lab) => {
      const { request } = await grant(lab)
      readPair(await refresh(lab, request))
      const again = readPair(await refresh(lab, request))
      readSyncAnswer(await useToken(lab, again.access), 'a sync with the token of the repeated refresh')
    },
  }),
  decided({
    id: 'GRANT-REUSE-01',
    title: 'MUST end the session when a replaced request token is presented after the new pair was used',
    section: '5.2',
    clauses: ['K-grant-3'],
    faults: [
      'token-reuse-ignored',
      'token-refreshed-not-usable',
      'token-reuse-granted',
      'token-reuse-keeps-session',
      'revoked-access-works',
    ],
    check: async (lab) => {
      const { request } = await grant(lab)
      const second = readPair(await refresh(lab, request))
      readSyncAnswer(await useToken(lab, second.access), 'a sync with the token of the refresh')
      expectError(
        await refresh(lab, request),
        400,
        'invalid_grant',
        'the pair that replaced this request token was used',
      )
      const reply = await useToken(lab, second.access)
      expectSame(
        reply.error,
        'invalid_grant',
        'the error for the newest access token, because its session was ended',
        reply,
      )
    },
  }),
  decided({
    id: 'GRANT-REVOKE-01',
    title: 'MUST end the session of a token that is revoked',
    section: '5.2',
    clauses: ['K-grant-4'],
    faults: [
      'revoke-ignored',
      'revoke-not-200',
      'token-refresh-unchecked',
      'revoked-access-works',
      'query-token-unchecked',
    ],
    check: async (lab) => {
      const { access, request } = await grant(lab)
      const { clientId, clientSecret } = lab.target
      const client = [
        ['client_id', clientId],
        ['client_secret', clientSecret],
      ] as const
      const reply = await lab.request({ path: 'revoke', form: [...client, ['token', request]] })
      expect(reply.status === 200, '200, because the client may revoke its own token', describeReply(reply), reply)
      const after = await useToken(lab, access)
      expect(
        !isSyncAnswer(after) && after.error === 'invalid_grant',
        'the error invalid_grant, because the session was revoked',
        describeReply(after),
        after,
      )
      expectError(await refresh(lab, request), 400, 'invalid_grant', 'the session was revoked')
    },
  }),
]
