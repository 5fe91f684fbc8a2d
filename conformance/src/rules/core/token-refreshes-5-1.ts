import { expect, expectSame, expectThing } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { readAccessToken } from '../../sessions.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'
import { readRequestToken, refresh, takeGrant, takeRequestToken } from './take-grant.ts'

/** Refreshing (interface 5.1). */
export const tokenRefreshRules = coreSection('5.2', [
  {
    // The value of request_token goes into the parameter refresh_token; the new token is one of the same user.
    id: 'TOKEN-REFRESH-01',
    title: 'MUST accept the request_token as refresh_token, again and again, and give access to the same account',
    section: '5.1',
    clauses: ['C-5.1-2'],
    faults: [
      'token-refresh-refused',
      'token-refresh-for-whoever-asks',
      'token-refresh-reads-request-token-name',
      'token-refreshed-not-usable',
      'token-refresh-other-account',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const id = await phone.create()
      const first = await refresh(lab, await takeRequestToken(lab))
      const second = await refresh(lab, readRequestToken(first))
      const sync = { path: 'sync', query: [['from', String(from)]] } as const
      const reply = await lab.openSync(readAccessToken(second), sync)
      expectThing(readSyncAnswer(reply, 'a delta with the refreshed token'), id, 'phone created it in the same account')
    },
  },
  {
    // A refresh is a grant too: new pair, same fields.
    id: 'TOKEN-REFRESH-02',
    title: 'MUST issue a new pair of tokens with each refresh, in the form of every token answer',
    clauses: ['C-5.2-6', 'C-5.2-3'],
    faults: ['token-refresh-keeps-access-token', 'token-refresh-keeps-request-token', 'token-type-not-bearer'],
    check: async (lab) => {
      const old = await asSetup('a password grant', () => takeGrant(lab))
      const reply = await refresh(lab, readRequestToken(old.reply))
      expect(
        readAccessToken(reply) !== old.token,
        'another access_token than before the refresh',
        'the same came',
        reply,
      )
      const next = reply.json?.request_token
      const isNew = typeof next === 'string' && next !== old.json.request_token
      expect(
        isNew,
        'another request_token than before the refresh',
        `${next === undefined ? 'none' : 'the same'} came`,
        reply,
      )
      const { expires_in: validity, token_type: type, scope } = reply.json ?? {}
      expectSame(
        [typeof validity, type, scope],
        ['number', 'bearer', null],
        'type of expires_in, token_type and scope',
        reply,
      )
    },
  },
])
