import { expect, expectRefusal } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { showValue } from '../../json.ts'
import { readAccessToken } from '../../sessions.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'
import { readRequestToken, refresh, takeGrant, takeRequestToken } from './take-grant.ts'

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

/** Grants that are refused; error code and status are the server's choice (interface 5.1, 7). */
export const tokenRefusalRules = coreSection('5.2', [
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
    faults: ['token-refresh-unchecked', 'token-refresh-refused'],
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
    faults: ['token-refresh-secret-unchecked', 'token-refresh-refused'],
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
    faults: ['token-access-token-refreshes', 'token-refresh-refused'],
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
    faults: ['token-request-token-opens-sync', 'access-token-never-valid'],
    check: async (lab) => {
      const { token, reply } = await asSetup('a password grant', () => takeGrant(lab))
      await asSetup('a sync with the access token', async () => readSyncAnswer(await lab.openSync(token), 'a sync'))
      expectRefusal(await lab.openSync(readRequestToken(reply)), 'this is the request_token of the pair')
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
