import { setTimeout as pause } from 'node:timers/promises'
import { readAccessToken } from '../access-tokens.ts'
import type { RawRequest, Reply } from '../client.ts'
import { type JsonObject, showValue } from '../encoding.ts'
import { expect, expectErrorResponse, expectSame, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { asSetup, Finding, Skipped } from '../result.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { isSyncResponse, readSyncResponse } from '../sync-messages.ts'
import { describeReply, expectError, expectObject } from './operation-steps.ts'

/** Sends a password grant of user 1 that is checked. */
export const takeGrant = async (lab: Lab): Promise<{ reply: Reply; json: JsonObject; token: string }> => {
  const reply = await lab.token()
  return { reply, token: readAccessToken(reply), json: reply.json ?? {} }
}

/** Returns the request_token of a new password grant, as a setup step. */
export const takeRequestToken = (lab: Lab): Promise<string> =>
  asSetup('a password grant with a request_token', async () => {
    const { json, reply } = await takeGrant(lab)
    if (typeof json.request_token === 'string') return json.request_token
    throw new Finding('a request_token', `${showValue(json.request_token)} came`, reply.exchange)
  })

/** Reads the request_token of a token response. @throws Finding without one, because no refresh is possible then. */
export const readRequestToken = (reply: Reply): string => {
  const token = reply.json?.request_token
  if (typeof token === 'string' && token !== '') return token
  throw new Finding('a token response with a request_token', `${showValue(token)} came`, reply.exchange)
}

/** Sends a refresh_token grant with the token; the response is not checked. */
export const refresh = (lab: Lab, requestToken: string, changes: Record<string, string> = {}): Promise<Reply> =>
  lab.token({ grant_type: 'refresh_token', refresh_token: requestToken, ...changes })

const expectField = async (lab: Lab, name: string, isRight: (value: unknown) => boolean, wanted: string) => {
  const { json, reply } = await takeGrant(lab)
  const came = Object.hasOwn(json, name) ? showValue(json[name]) : 'the field is missing'
  expect(isRight(json[name]), `${name} to be ${wanted}, because a password grant succeeded`, came, reply)
}

/** Whether the value is a Unix time near now: no server gives tokens for half a century. */
const isCurrentTime = (seconds: number): boolean => Math.abs(seconds - Date.now() / 1000) < 1e8

/** Grants and their responses (interface 4.2, 5.1, 5.2). */
export const tokenGrantRules = coreRulesOf('5.2', [
  {
    // The form-encoded password grant at {base_url}/token gives an access token, and that token opens the API.
    id: 'TOKEN-GRANT-01',
    title: 'MUST respond to a password grant with an access_token that opens sync',
    section: '5.1',
    requirements: ['C-1-1', 'C-4.2-1', 'C-5.1-1', 'C-5.2-1'],
    faults: [
      'token-access-token-missing',
      'token-form-rejected',
      'token-response-as-form',
      'token-field-wrapped',
      'sync-get-rejected',
      'access-token-never-valid',
      'token-expired-from-the-start',
    ],
    check: async (lab) => {
      const { token } = await takeGrant(lab)
      readSyncResponse(await lab.openSync(token), 'a sync with the new access token')
    },
  },
  {
    // The second token of the pair has a field with its own name.
    id: 'TOKEN-GRANT-02',
    title: 'MUST give the second token of a grant as the string request_token',
    requirements: ['C-5.2-3'],
    faults: ['token-request-token-missing', 'token-refresh-for-every-client'],
    check: (lab) =>
      expectField(
        lab,
        'request_token',
        (value) => typeof value === 'string' && value !== '',
        'a string that is not empty',
      ),
  },
  {
    // The lifetime is a number of seconds; 0 would make the token useless.
    id: 'TOKEN-GRANT-03',
    title: 'MUST give expires_in as a number of seconds above 0',
    requirements: ['C-5.2-2'],
    faults: ['token-expires-in-text', 'token-expires-in-zero', 'token-expires-in-time'],
    check: (lab) =>
      expectField(
        lab,
        'expires_in',
        (value) => typeof value === 'number' && value > 0 && !isCurrentTime(value),
        'a number (not text) of seconds above 0, and not the time at which it ends',
      ),
  },
  {
    id: 'TOKEN-GRANT-04',
    title: 'MUST give token_type as "bearer"',
    requirements: ['C-5.2-4'],
    faults: ['token-type-not-bearer'],
    check: (lab) => expectField(lab, 'token_type', (value) => value === 'bearer', '"bearer"'),
  },
  {
    id: 'TOKEN-GRANT-05',
    title: 'MUST give scope as null',
    requirements: ['C-5.2-5'],
    faults: ['token-scope-empty-text', 'token-scope-missing'],
    check: (lab) => expectField(lab, 'scope', (value) => value === null, 'null'),
  },
  {
    // Each grant issues a new pair: neither token was issued before.
    id: 'TOKEN-GRANT-06',
    title: 'MUST issue a new pair of tokens with each password grant',
    requirements: ['C-5.2-6'],
    faults: ['token-same-access-token-twice', 'token-same-request-token-twice'],
    check: async (lab) => {
      const first = await asSetup('a first password grant', () => takeGrant(lab))
      const second = await takeGrant(lab)
      expect(
        second.token !== first.token,
        'another access_token than the first grant gave',
        'the same came',
        second.reply,
      )
      const isNew = second.json.request_token !== first.json.request_token
      expect(isNew, 'another request_token than the first grant gave', 'the same came', second.reply)
    },
  },
  {
    // expires_in is the lifetime of the token: it is valid for any number of requests, also after others' grants.
    id: 'TOKEN-GRANT-07',
    title: 'MUST accept an access token again and again during its validity, also after another grant',
    section: '8',
    requirements: ['C-8-1'],
    faults: ['token-dies-after-third-use'],
    check: async (lab) => {
      const { token } = await asSetup('a password grant', () => takeGrant(lab))
      await asSetup('another password grant', () => takeGrant(lab))
      for (const time of ['1st', '2nd', '3rd', '4th', '5th', '6th']) {
        readSyncResponse(await lab.openSync(token), `the ${time} sync with an access token that is seconds old`)
      }
    },
  },
])

/** Refreshing (interface 5.1). */
export const tokenRefreshRules = coreRulesOf('5.2', [
  {
    // The value of request_token goes into the parameter refresh_token; the new token belongs to the same user.
    id: 'TOKEN-REFRESH-01',
    title: 'MUST accept the request_token as refresh_token, again and again, and give access to the same account',
    section: '5.1',
    requirements: ['C-5.1-2'],
    faults: [
      'token-refresh-rejected',
      'token-refresh-for-every-client',
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
      expectThing(
        readSyncResponse(reply, 'an incremental sync with the refreshed token'),
        id,
        'phone created it in the same account',
      )
    },
  },
  {
    // A refresh is also a grant: a new pair, the same fields.
    id: 'TOKEN-REFRESH-02',
    title: 'MUST issue a new pair of tokens with each refresh, in the form of every token response',
    requirements: ['C-5.2-6', 'C-5.2-3'],
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
      const { expires_in: lifetime, token_type: type, scope } = reply.json ?? {}
      expectSame(
        [typeof lifetime, type, scope],
        ['number', 'bearer', null],
        'type of expires_in, token_type and scope',
        reply,
      )
    },
  },
])

/** Longest lifetime, in seconds, that a rule waits for. */
const maxWaitSeconds = 5

/** Longer than the response to a grant may take, in seconds. */
export const graceSeconds = 1.5

/** Returns the lifetime in a token response, in seconds, when it is short enough to wait for. */
export const readLifetimeSeconds = ({ json }: Reply): number => {
  const seconds = Number(json?.expires_in)
  if (seconds <= maxWaitSeconds) return seconds
  throw new Skipped(`the server's access tokens are valid for ${seconds} s, too long to wait for`)
}

const ways = {
  header: 'Authorization header',
  query: 'GET parameter',
  form: 'form parameter of a POST',
} as const

type Kind = keyof typeof ways

const present = (lab: Lab, kind: Kind, token: string): Promise<Reply> => {
  const request: RawRequest =
    kind === 'form' ? { path: 'sync', form: [['limit', '1']] } : { path: 'sync', query: [['limit', '1']] }
  return lab.present(request, token, kind === 'header' ? { kind } : { kind })
}

/** Presents a token of a password grant and one of a refresh, once new and once expired. */
const expectExpiry = async (lab: Lab, kind: Kind): Promise<void> => {
  const { reply, token } = await takeGrant(lab)
  const seconds = readLifetimeSeconds(reply)
  const other = await asSetup('another password grant', () => takeGrant(lab))
  const again = await refresh(lab, readRequestToken(other.reply))
  const refreshed = String(again.json?.access_token)
  const tokens = { 'of a password grant': token, 'of a refresh': refreshed }
  for (const [whose, each] of Object.entries(tokens)) {
    await asSetup(`a sync with the new token ${whose}`, async () =>
      readSyncResponse(await present(lab, kind, each), 'a sync'),
    )
  }
  await pause((seconds + graceSeconds) * 1000)
  for (const [whose, each] of Object.entries(tokens)) {
    const response = await present(lab, kind, each)
    const { error, error_description: description } = response.json ?? {}
    const wanted = ['invalid_grant', 'The access token provided is invalid']
    const expected = `error and error_description for a token ${whose} that was given with expires_in ${seconds} and is older (${kind})`
    expectSame([error, description], wanted, expected, response)
  }
}

/** The end of a token's lifetime (interface 5.3, 7, 8); a rule can wait only for a lifetime of seconds. */
export const tokenExpiryRules = coreRulesOf('8', [
  {
    id: 'TOKEN-EXPIRE-01',
    title: 'MUST reject an access token once its expires_in is over',
    requirements: ['C-8-1', 'C-7-2'],
    faults: ['token-outlives-expires-in', 'token-expired-from-the-start'],
    check: async (lab) => {
      const { reply, token } = await takeGrant(lab)
      const seconds = readLifetimeSeconds(reply)
      await asSetup('a sync with the new token', async () => readSyncResponse(await lab.openSync(token), 'a sync'))
      await pause((seconds + graceSeconds) * 1000)
      const age = seconds + graceSeconds
      expectErrorResponse(await lab.openSync(token), `it was given ${age} s ago with expires_in ${seconds}`)
    },
  },
  ...(Object.keys(ways) as Kind[]).map((kind, index) => ({
    id: `TOKEN-EXPIRE-0${index + 2}`,
    title: `MUST reject an expired access token in the ${ways[kind]} with the stated error`,
    requirements: ['C-8-1', 'C-7-2', 'C-5.3-4'],
    faults: [
      `token-outlives-in-${kind}`,
      `token-expired-differs-in-${kind}`,
      'token-refreshed-outlives',
      'token-expired-from-the-start',
    ],
    check: (lab: Lab) => expectExpiry(lab, kind),
  })),
])

/**
 * Rules of section 5: responses of the token endpoint (contract, token). Each wrong attempt is made once, and never
 * with a wrong password, so that no limit locks the account.
 */
export const grantRules: readonly Rule[] = [
  extensionRule({
    id: 'GRANT-NAME-01',
    title: 'MUST return the request_token also as refresh_token',
    section: '5.2',
    requirements: ['K-grant-2'],
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
  extensionRule({
    id: 'GRANT-CACHE-01',
    title: 'MUST send Cache-Control: no-store with tokens',
    section: '5.2',
    requirements: ['K-grant-2'],
    faults: ['token-cacheable', 'token-response-as-form'],
    check: async (lab) => {
      const reply = await lab.token()
      expectObject(reply, 'the grant is correct')
      const header = reply.headers['cache-control'] ?? '(absent)'
      expect(
        /\bno-store\b/i.test(header),
        'the header Cache-Control: no-store, because the response holds tokens',
        `it reads ${header}`,
        reply,
      )
    },
  }),
  extensionRule({
    id: 'GRANT-BASIC-01',
    title: 'MUST take the client credentials by HTTP Basic',
    section: '5.1',
    requirements: ['K-grant-1'],
    faults: ['token-basic-rejected'],
    check: async (lab) => {
      const { clientId, clientSecret, users } = lab.target
      // RFC 6749, 2.3.1: both are form-encoded before they are joined.
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
  extensionRule({
    id: 'GRANT-ERROR-01',
    title: 'MUST respond to a rejected grant with 400 invalid_grant',
    section: '5.1',
    requirements: ['K-error-6'],
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
  extensionRule({
    id: 'GRANT-ERROR-02',
    title: 'MUST respond to wrong client credentials with 401 invalid_client',
    section: '5.1',
    requirements: ['K-error-6'],
    faults: ['token-invalid-client-400', 'token-access-token-missing', 'token-field-wrapped'],
    check: async (lab) => {
      expectError(await lab.token({ client_secret: lab.mark }), 401, 'invalid_client', 'the client secret is wrong')
      readAccessToken(await lab.token())
    },
  }),
  extensionRule({
    id: 'GRANT-ERROR-03',
    title: 'MUST respond to an unknown grant type with 400 unsupported_grant_type, to none with 400 invalid_request',
    section: '5.1',
    requirements: ['K-error-6'],
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

interface TokenPair {
  readonly access: string
  readonly request: string
}

const readPair = (reply: Reply): TokenPair => {
  const request = reply.json?.request_token
  expect(typeof request === 'string', 'a token response with a request_token', describeReply(reply), reply)
  return { access: readAccessToken(reply), request }
}

const grantPair = (lab: Lab): Promise<TokenPair> => asSetup('a password grant', async () => readPair(await lab.token()))

const refreshPair = (lab: Lab, request: string): Promise<Reply> =>
  lab.token({ grant_type: 'refresh_token', refresh_token: request })

const look = { path: 'sync', query: [['limit', '1']] } as const

const useToken = (lab: Lab, access: string): Promise<Reply> => lab.present(look, access, { kind: 'query' })

/** Rules of section 5: the lifetime of a session (contract, token). */
export const sessionRules: readonly Rule[] = [
  extensionRule({
    id: 'GRANT-LOST-01',
    title: 'MUST respond to a repeated refresh while the new pair is unused',
    section: '5.2',
    requirements: ['K-grant-3'],
    faults: ['token-lost-response-rejected', 'token-refreshed-not-usable', 'token-refresh-for-every-client'],
    check: async (lab) => {
      const { request } = await grantPair(lab)
      readPair(await refreshPair(lab, request))
      const again = readPair(await refreshPair(lab, request))
      readSyncResponse(await useToken(lab, again.access), 'a sync with the token of the repeated refresh')
    },
  }),
  extensionRule({
    id: 'GRANT-REUSE-01',
    title: 'MUST end the session when a replaced refresh token is presented after the new pair was used',
    section: '5.2',
    requirements: ['K-grant-3'],
    faults: [
      'token-reuse-ignored',
      'token-refreshed-not-usable',
      'token-reuse-granted',
      'token-reuse-keeps-session',
      'revoked-access-works',
    ],
    check: async (lab) => {
      const { request } = await grantPair(lab)
      const second = readPair(await refreshPair(lab, request))
      readSyncResponse(await useToken(lab, second.access), 'a sync with the token of the refresh')
      expectError(
        await refreshPair(lab, request),
        400,
        'invalid_grant',
        'the pair that replaced this refresh token was used',
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
  extensionRule({
    id: 'GRANT-REVOKE-01',
    title: 'MUST end the session of a token that is revoked',
    section: '5.2',
    requirements: ['K-grant-4'],
    faults: [
      'revoke-ignored',
      'revoke-not-200',
      'token-refresh-unchecked',
      'revoked-access-works',
      'query-token-unchecked',
    ],
    check: async (lab) => {
      const { access, request } = await grantPair(lab)
      const { clientId, clientSecret } = lab.target
      const client = [
        ['client_id', clientId],
        ['client_secret', clientSecret],
      ] as const
      const reply = await lab.request({ path: 'revoke', form: [...client, ['token', request]] })
      expect(reply.status === 200, '200, because the client may revoke its own token', describeReply(reply), reply)
      const after = await useToken(lab, access)
      expect(
        !isSyncResponse(after) && after.error === 'invalid_grant',
        'the error invalid_grant, because the session was revoked',
        describeReply(after),
        after,
      )
      expectError(await refreshPair(lab, request), 400, 'invalid_grant', 'the session was revoked')
    },
  }),
]
