import { expect } from '../../expect.ts'
import type { Lab } from '../../lab.ts'
import { presentToken, type Way } from '../../present.ts'
import type { Rule } from '../../rule.ts'
import { isSyncAnswer } from '../../sync-answer.ts'
import { describeReply, expectError } from './answers.ts'
import { decided } from './decided.ts'

const look = { path: 'sync', query: [['limit', '1']] } as const

const expectHeaders = async (lab: Lab, templates: readonly string[]): Promise<void> => {
  const token = await (await lab.replica('phone')).token()
  for (const template of templates) {
    const reply = await lab.present(look, token, { kind: 'header', template })
    const expected = `a sync answer, because the token is valid and the header reads Authorization: ${template}`
    expect(isSyncAnswer(reply), expected, describeReply(reply), reply)
  }
}

const header: Way = { kind: 'header', template: 'Bearer {token}' }
const ways: readonly Way[] = [header, { kind: 'query' }, { kind: 'form' }]
const pairsOfWays: readonly (readonly [Way, Way])[] = [
  [header, { kind: 'query' }],
  [header, { kind: 'form' }],
  [{ kind: 'query' }, { kind: 'form' }],
]

/** Rules of section 5.3: the forms of the header, and what is refused how (contract, the access token). */
export const presentationRules: readonly Rule[] = [
  decided({
    id: 'TOKEN-HEADER-BEARER-01',
    title: 'MUST take the header token as Bearer T',
    section: '5.3',
    clauses: ['K-token-1'],
    faults: ['bearer-refused'],
    check: (lab) => expectHeaders(lab, ['Bearer {token}', 'bearer {token}']),
  }),
  decided({
    id: 'TOKEN-HEADER-SCHEME-01',
    title: 'MUST take the header token as OAuth T',
    section: '5.3',
    clauses: ['K-token-1'],
    faults: ['oauth-scheme-refused'],
    check: (lab) => expectHeaders(lab, ['OAuth {token}']),
  }),
  decided({
    id: 'TOKEN-HEADER-SCHEME-02',
    title: 'MUST take the header token as Token T',
    section: '5.3',
    clauses: ['K-token-1'],
    faults: ['token-scheme-refused'],
    check: (lab) => expectHeaders(lab, ['Token {token}']),
  }),
  decided({
    id: 'TOKEN-HEADER-PAIR-01',
    title: 'MUST take the header token as name=T, with or without a word before it',
    section: '5.3',
    clauses: ['K-token-1'],
    faults: ['named-token-refused'],
    check: (lab) => expectHeaders(lab, ['access_token={token}', 'access-token={token}', 'Bearer access_token={token}']),
  }),
  decided({
    id: 'TOKEN-HEADER-PAIR-02',
    title: 'MUST take the header token as name=T with quotes around it',
    section: '5.3',
    clauses: ['K-token-1'],
    faults: ['quoted-token-refused'],
    check: (lab) => expectHeaders(lab, ['access_token="{token}"', 'access-token="{token}"']),
  }),
  decided({
    id: 'TOKEN-ACCESS-TWICE-02',
    title: 'MUST refuse different tokens that are given in more than one way',
    section: '5.3',
    clauses: ['K-token-2'],
    faults: ['two-tokens-accepted'],
    check: async (lab) => {
      const token = await (await lab.replica('phone')).token()
      const another = await (await lab.replica('laptop')).token()
      for (const [one, other] of pairsOfWays) {
        const reply = await lab.request(presentToken(presentToken(look, token, one), another, other))
        expectError(reply, 400, 'invalid_request', `one token came as ${one.kind} and another as ${other.kind}`)
      }
    },
  }),
  decided({
    // Generated clients fill in every scheme that a document offers.
    id: 'TOKEN-ACCESS-TWICE-03',
    title: 'MUST take the same token given in more than one way',
    section: '5.3',
    clauses: ['K-token-2'],
    faults: ['same-token-twice-refused'],
    check: async (lab) => {
      const token = await (await lab.replica('phone')).token()
      for (const [one, other] of pairsOfWays) {
        const reply = await lab.request(presentToken(presentToken(look, token, one), token, other))
        const expected = `a sync answer, because the same valid token came as ${one.kind} and as ${other.kind}`
        expect(isSyncAnswer(reply), expected, describeReply(reply), reply)
      }
    },
  }),
  decided({
    id: 'TOKEN-ACCESS-MISSING-01',
    title: 'MUST answer a request without a token 401 invalid_request with WWW-Authenticate',
    section: '5.3',
    clauses: ['K-token-3'],
    faults: ['missing-token-other-code', 'invalid-token-no-www-authenticate'],
    check: async (lab) => {
      const reply = await lab.request({ path: 'sync' })
      expectError(reply, 401, 'invalid_request', 'no token was given')
      expectChallenge(reply.headers['www-authenticate'], 'no token was given', reply)
    },
  }),
  decided({
    id: 'TOKEN-ACCESS-INVALID-01',
    title: 'MUST answer an invalid token 401 invalid_grant, given any way',
    section: '7',
    clauses: ['K-token-3'],
    faults: ['invalid-token-status-400'],
    check: async (lab) => {
      for (const way of ways) {
        const reply = await lab.present({ path: 'sync' }, lab.mark, way)
        expectError(reply, 401, 'invalid_grant', `the ${way.kind} token was never issued`)
      }
    },
  }),
  decided({
    id: 'TOKEN-ACCESS-INVALID-02',
    title: 'MUST send WWW-Authenticate: Bearer with the refusal of an invalid token',
    section: '7',
    clauses: ['K-token-3'],
    faults: ['invalid-token-no-www-authenticate'],
    check: async (lab) => {
      for (const way of ways) {
        const reply = await lab.present({ path: 'sync' }, lab.mark, way)
        expectChallenge(reply.headers['www-authenticate'], `the ${way.kind} token was never issued`, reply)
      }
    },
  }),
  decided({
    id: 'TOKEN-ACCESS-FIRST-02',
    title: 'MUST judge the token before the parameters',
    section: '5.3',
    clauses: ['K-token-4'],
    faults: ['parameters-before-token'],
    check: async (lab) => {
      const parameters = { path: 'sync', query: [['from', 'abc']] } as const
      const wrong = await lab.present(parameters, lab.mark, { kind: 'header', template: 'Bearer {token}' })
      expectError(wrong, 401, 'invalid_grant', 'the token is judged before from=abc')
    },
  }),
  decided({
    // A stranger's body costs nothing: it is not decoded.
    id: 'TOKEN-ACCESS-FIRST-03',
    title: 'MUST judge a token in header or query before the body',
    section: '5.3',
    clauses: ['K-token-4'],
    faults: ['body-before-token'],
    check: async (lab) => {
      const headers = { 'content-type': 'text/plain' }
      const request = { method: 'POST', path: 'sync', headers, body: 'no form' } as const
      for (const way of [header, { kind: 'query' }] as const) {
        const reply = await lab.present(request, lab.mark, way)
        expectError(reply, 401, 'invalid_grant', `the ${way.kind} token is judged before a body that is text/plain`)
      }
    },
  }),
]

const expectChallenge = (header: string | undefined, because: string, at: Parameters<typeof expect>[3]): void =>
  expect(
    /^Bearer\b/i.test(header ?? ''),
    `the header WWW-Authenticate: Bearer …, because ${because}`,
    `it reads ${header ?? '(absent)'}`,
    at,
  )
