import type { Reply } from '../../client.ts'
import { expect, expectRefusal, expectSame, expectThing } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { type JsonObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { readAccessToken } from '../../sessions.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

const takeGrant = async (lab: Lab): Promise<{ reply: Reply; json: JsonObject; token: string }> => {
  const reply = await lab.token()
  return { reply, token: readAccessToken(reply), json: reply.json ?? {} }
}

const takeRequestToken = (lab: Lab): Promise<string> =>
  asSetup('a password grant with a request_token', async () => {
    const { json, reply } = await takeGrant(lab)
    expect(typeof json.request_token === 'string', 'a request_token', `${showValue(json.request_token)} came`, reply)
    return String(json.request_token)
  })

const refresh = (lab: Lab, requestToken: string, changes: Record<string, string> = {}): Promise<Reply> =>
  lab.token({ grant_type: 'refresh_token', refresh_token: requestToken, ...changes })

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

const expectField = async (lab: Lab, name: string, isRight: (value: unknown) => boolean, wanted: string) => {
  const { json, reply } = await takeGrant(lab)
  const came = Object.hasOwn(json, name) ? showValue(json[name]) : 'the field is missing'
  expect(isRight(json[name]), `${name} to be ${wanted}, because a password grant succeeded`, came, reply)
}

/** Grants (interface 4.2, 5.1, 5.2). */
export const tokenGrantRules = coreSection('5.2', [
  {
    // The form-encoded password grant at {base_url}/token gives an access token, and that token is what opens the API.
    id: 'TOKEN-GRANT-01',
    title: 'MUST answer a password grant with an access_token that opens sync',
    section: '5.1',
    clauses: ['C-1-1', 'C-4.2-1', 'C-5.1-1', 'C-5.2-1'],
    faults: ['token-access-token-missing', 'token-form-refused', 'token-answer-as-form', 'token-field-wrapped'],
    check: async (lab) => {
      const { token } = await takeGrant(lab)
      readSyncAnswer(await lab.openSync(token), 'a sync with the new access token')
    },
  },
  {
    // The second token of the pair stands in a field of its own name.
    id: 'TOKEN-GRANT-02',
    title: 'MUST give the second token of a grant as the string request_token',
    clauses: ['C-5.2-3'],
    faults: ['token-request-token-missing'],
    check: (lab) =>
      expectField(
        lab,
        'request_token',
        (value) => typeof value === 'string' && value !== '',
        'a string that is not empty',
      ),
  },
  {
    // The validity is a number of seconds; none at all would make the token useless.
    id: 'TOKEN-GRANT-03',
    title: 'MUST give expires_in as a number of seconds above 0',
    clauses: ['C-5.2-2'],
    faults: ['token-expires-in-text', 'token-expires-in-zero'],
    check: (lab) =>
      expectField(lab, 'expires_in', (value) => typeof value === 'number' && value > 0, 'a number (not text) above 0'),
  },
  {
    id: 'TOKEN-GRANT-04',
    title: 'MUST give token_type as "bearer"',
    clauses: ['C-5.2-4'],
    faults: ['token-type-not-bearer'],
    check: (lab) => expectField(lab, 'token_type', (value) => value === 'bearer', '"bearer"'),
  },
  {
    id: 'TOKEN-GRANT-05',
    title: 'MUST give scope as null',
    clauses: ['C-5.2-5'],
    faults: ['token-scope-empty-text', 'token-scope-missing'],
    check: (lab) => expectField(lab, 'scope', (value) => value === null, 'null'),
  },
  {
    // Each grant issues a new pair: neither half is one that was given before.
    id: 'TOKEN-GRANT-06',
    title: 'MUST issue a new pair of tokens with each password grant',
    clauses: ['C-5.2-6'],
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
    // expires_in is the validity of the token: it may be used as often as needed until then, whatever other devices ask for.
    id: 'TOKEN-GRANT-07',
    title: 'MUST accept an access token again and again during its validity, also after another grant',
    section: '8',
    clauses: ['C-8-1'],
    faults: ['token-dies-after-third-use'],
    check: async (lab) => {
      const { token } = await asSetup('a password grant', () => takeGrant(lab))
      await asSetup('another password grant', () => takeGrant(lab))
      for (const time of ['1st', '2nd', '3rd', '4th', '5th', '6th']) {
        readSyncAnswer(await lab.openSync(token), `the ${time} sync with an access token that is seconds old`)
      }
    },
  },
  {
    // The value of request_token goes into the parameter refresh_token; the new token is one of the same user.
    id: 'TOKEN-REFRESH-01',
    title: 'MUST accept the request_token as refresh_token, again and again, and give access to the same account',
    section: '5.1',
    clauses: ['C-5.1-2'],
    faults: [
      'token-refresh-refused',
      'token-refresh-reads-request-token-name',
      'token-refreshed-not-usable',
      'token-refresh-other-account',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const id = await phone.create()
      const first = await refresh(lab, await takeRequestToken(lab))
      readAccessToken(first)
      const second = await refresh(lab, String(first.json?.request_token))
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
    faults: ['token-refresh-keeps-access-token', 'token-refresh-keeps-request-token'],
    check: async (lab) => {
      const old = await asSetup('a password grant', () => takeGrant(lab))
      const reply = await refresh(lab, String(old.json.request_token))
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
  {
    id: 'TOKEN-REFUSE-01',
    title: 'MUST refuse a password grant with a wrong password',
    section: '5.1',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: ['token-password-unchecked', 'token-password-case-ignored'],
    check: async (lab) => {
      await asSetup('the grant with the right password', () => takeGrant(lab))
      const password = lab.target.users[0]?.password ?? ''
      for (const wrong of new Set([`${password}x`, swapCase(password)])) {
        if (wrong !== password) expectRefusal(await lab.token({ password: wrong }), 'the password is wrong')
      }
      await takeGrant(lab)
    },
  },
  {
    id: 'TOKEN-REFUSE-02',
    title: 'MUST refuse a password grant for a user that does not exist',
    section: '5.1',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: ['token-unknown-user-accepted'],
    check: async (lab) => {
      await asSetup('the grant with the right user', () => takeGrant(lab))
      expectRefusal(await lab.token({ username: lab.mark }), 'there is no such user')
    },
  },
  {
    id: 'TOKEN-REFUSE-03',
    title: 'MUST refuse a password grant with a wrong client_secret',
    section: '5.1',
    basis: 'derived',
    clauses: ['C-1-3', 'C-5.1-3'],
    faults: ['token-client-secret-unchecked'],
    check: async (lab) => {
      await asSetup('the grant with the right client_secret', () => takeGrant(lab))
      expectRefusal(await lab.token({ client_secret: `${lab.target.clientSecret}x` }), 'the client_secret is wrong')
    },
  },
  {
    id: 'TOKEN-REFUSE-04',
    title: 'MUST refuse a password grant of an application that is not registered',
    section: '5.1',
    basis: 'derived',
    clauses: ['C-1-3', 'C-5.1-3'],
    faults: ['token-client-id-unchecked'],
    check: async (lab) => {
      await asSetup('the grant with the right client_id', () => takeGrant(lab))
      expectRefusal(await lab.token({ client_id: lab.mark }), 'no application has this client_id')
    },
  },
  {
    id: 'TOKEN-REFUSE-05',
    title: 'MUST refuse a grant_type that there is not',
    section: '5.1',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: ['token-grant-type-ignored'],
    check: async (lab) => {
      await asSetup('the same request with grant_type password', () => takeGrant(lab))
      expectRefusal(await lab.token({ grant_type: 'no_such_grant' }), 'there is no grant_type no_such_grant')
    },
  },
  {
    id: 'TOKEN-REFUSE-06',
    title: 'MUST refuse a refresh with a token that was never issued',
    section: '5.1',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: ['token-refresh-unchecked'],
    check: async (lab) => {
      const requestToken = await takeRequestToken(lab)
      expectRefusal(await refresh(lab, lab.mark), 'this refresh_token was never issued')
      readAccessToken(await refresh(lab, requestToken))
    },
  },
  {
    id: 'TOKEN-REFUSE-07',
    title: 'MUST refuse a refresh with a wrong client_secret',
    section: '5.1',
    basis: 'derived',
    clauses: ['C-1-3', 'C-5.1-3'],
    faults: ['token-refresh-secret-unchecked'],
    check: async (lab) => {
      const twin = await takeRequestToken(lab)
      await asSetup('a refresh with the right client_secret', async () => readAccessToken(await refresh(lab, twin)))
      const changes = { client_secret: `${lab.target.clientSecret}x` }
      expectRefusal(await refresh(lab, await takeRequestToken(lab), changes), 'the client_secret is wrong')
    },
  },
  {
    // The two tokens of a pair have different uses; a stolen access token must not live for ever.
    id: 'TOKEN-REFUSE-08',
    title: 'MUST refuse an access token as refresh_token',
    section: '5.1',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: ['token-access-token-refreshes'],
    check: async (lab) => {
      const twin = await takeRequestToken(lab)
      await asSetup('a refresh with a request_token', async () => readAccessToken(await refresh(lab, twin)))
      const { token } = await asSetup('a password grant', () => takeGrant(lab))
      expectRefusal(await refresh(lab, token), 'this is the access_token of the pair, not its request_token')
    },
  },
  {
    id: 'TOKEN-REFUSE-09',
    title: 'MUST refuse a request_token as access token',
    section: '5.3',
    basis: 'derived',
    clauses: ['C-1-4', 'C-7-2'],
    faults: ['token-request-token-opens-sync'],
    check: async (lab) => {
      const { token, json } = await asSetup('a password grant', () => takeGrant(lab))
      await asSetup('a sync with the access token', async () => readSyncAnswer(await lab.openSync(token), 'a sync'))
      expectRefusal(await lab.openSync(String(json.request_token)), 'this is the request_token of the pair')
    },
  },
  {
    // Errors are a JSON object with two strings, at the token endpoint too; code and status are the server's choice.
    id: 'TOKEN-ERROR-01',
    title: 'MUST refuse a grant with a JSON object with the strings error and error_description',
    section: '7',
    clauses: ['C-7-1', 'C-1-1'],
    faults: [
      'token-error-plain-text',
      'token-error-without-description',
      'token-error-without-code',
      'token-error-code-number',
    ],
    check: async (lab) => {
      await asSetup('the grant with the right user', () => takeGrant(lab))
      const reply = await lab.token({ username: lab.mark, password: lab.mark })
      expectRefusal(reply, 'there is no such user')
      const description = reply.json?.error_description
      expect(typeof description === 'string', 'error_description as a string', `${showValue(description)} came`, reply)
    },
  },
])
