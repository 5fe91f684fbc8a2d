import type { Reply } from '../../client.ts'
import { expect } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { showValue } from '../../json.ts'
import { readAccessToken } from '../../sessions.ts'
import { coreSection } from './core-rules.ts'
import { type Changes, expectEachRefreshRefused, expectEachRefused } from './refused-grants.ts'
import { readRequestToken, refresh, takeGrant, takeRequestToken } from './take-grant.ts'

const upper = (text: string): string => (text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase())

/** Variants of a secret that are not the secret. */
const nearly = (name: string, secret: string): Record<string, Changes> => ({
  [`${name} is left out`]: { [name]: undefined },
  [`${name} is empty`]: { [name]: '' },
  [`${name} has a character more`]: { [name]: `${secret}x` },
  [`${name} has blanks around it`]: { [name]: ` ${secret} ` },
  ...(secret.length > 1 ? { [`the last character of ${name} is missing`]: { [name]: secret.slice(0, -1) } } : {}),
  ...(upper(secret) === secret ? {} : { [`the letters of ${name} have another case`]: { [name]: upper(secret) } }),
})

/** Client authentication, and what stands where a parameter should (interface 5, 5.1). */
export const tokenClientRules = coreSection('5.1', [
  {
    id: 'TOKEN-CLIENT-01',
    title: 'MUST refuse a password grant whose client_secret is missing, empty or only similar',
    basis: 'derived',
    clauses: ['C-1-3', 'C-5.1-3'],
    faults: [
      'client-secret-left-out-accepted',
      'client-secret-empty-accepted',
      'client-secret-beginning-accepted',
      'client-secret-case-ignored',
      'client-secret-longer-accepted',
      'client-secret-trimmed',
      'client-of-session-remembered',
    ],
    check: (lab) => expectEachRefused(lab, nearly('client_secret', lab.target.clientSecret)),
  },
  {
    id: 'TOKEN-CLIENT-02',
    title: 'MUST refuse a password grant whose client_id is missing, empty or only similar',
    basis: 'derived',
    clauses: ['C-1-3', 'C-5.1-3'],
    faults: [
      'client-id-left-out-accepted',
      'client-id-empty-accepted',
      'client-id-beginning-accepted',
      'client-id-longer-accepted',
      'client-id-any-with-secret-left-out',
    ],
    check: (lab) => {
      const { clientId } = lab.target
      return expectEachRefused(lab, {
        'client_id is left out': { client_id: undefined },
        'client_id is empty': { client_id: '' },
        'client_id has a character more': { client_id: `${clientId}x` },
        'the last character of client_id is missing': { client_id: clientId.slice(0, -1) },
        'client_id and client_secret are left out': { client_id: undefined, client_secret: undefined },
        'client_id and client_secret are empty': { client_id: '', client_secret: '' },
      })
    },
  },
  {
    id: 'TOKEN-CLIENT-03',
    title: 'MUST refuse a refresh whose client_id or client_secret is missing, empty or wrong',
    basis: 'derived',
    clauses: ['C-1-3', 'C-5.1-3'],
    faults: [
      'token-refresh-refused',
      'refresh-secret-left-out-accepted',
      'refresh-secret-empty-accepted',
      'refresh-client-id-unchecked',
      'refresh-client-left-out-accepted',
      'refresh-secret-beginning-accepted',
    ],
    check: (lab) =>
      expectEachRefreshRefused(lab, {
        'client_secret is left out': { client_secret: undefined },
        'client_secret is empty': { client_secret: '' },
        ...(lab.target.clientSecret.length > 1
          ? {
              'the last character of client_secret is missing': { client_secret: lab.target.clientSecret.slice(0, -1) },
            }
          : {}),
        'client_id is left out': { client_id: undefined },
        'no application has this client_id': { client_id: lab.mark },
        'client_id and client_secret are left out': { client_id: undefined, client_secret: undefined },
      }),
  },
  {
    id: 'TOKEN-REFUSE-10',
    title: 'MUST refuse a password grant whose password is missing, empty or longer',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: [
      'password-left-out-accepted',
      'password-empty-accepted',
      'password-longer-accepted',
      'password-trimmed',
      'password-beginning-accepted',
      'password-any-of-known-user',
    ],
    check: (lab) => {
      const password = lab.target.users[0]?.password ?? ''
      return expectEachRefused(lab, {
        'the password is left out': { password: undefined },
        'the password is empty': { password: '' },
        'the password has characters more': { password: `${password}${lab.mark}` },
        'the password has blanks around it': { password: ` ${password} ` },
        ...(password.length > 1
          ? { 'the last character of the password is missing': { password: password.slice(0, -1) } }
          : {}),
      })
    },
  },
  {
    id: 'TOKEN-REFUSE-11',
    title: 'MUST refuse a password grant whose username is missing, empty or only similar',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: [
      'username-left-out-accepted',
      'username-empty-accepted',
      'username-longer-accepted',
      'username-beginning-accepted',
      'username-pattern-accepted',
    ],
    check: (lab) => {
      const username = lab.target.users[0]?.username ?? ''
      return expectEachRefused(lab, {
        'the username is left out': { username: undefined },
        'the username is empty': { username: '' },
        'the username has characters more': { username: `${username}${lab.mark}` },
        'the username is a pattern': { username: `${username.slice(0, 1)}%` },
        'the username is a star': { username: '*' },
        ...(username.length > 2 && !lab.target.users.some((user) => user.username === username.slice(0, -1))
          ? { 'the last character of the username is missing': { username: username.slice(0, -1) } }
          : {}),
      })
    },
  },
  {
    id: 'TOKEN-REFUSE-12',
    title: 'MUST refuse a grant whose grant_type is missing, empty or another than the parameters are for',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: [
      'grant-type-left-out-accepted',
      'grant-type-empty-accepted',
      'grant-type-beginning-accepted',
      'grant-type-by-parameters',
      'grant-client-credentials-accepted',
    ],
    check: (lab) =>
      expectEachRefused(lab, {
        'grant_type is left out': { grant_type: undefined },
        'grant_type is empty': { grant_type: '' },
        'grant_type is passwordx': { grant_type: 'passwordx' },
        'grant_type is refresh_token beside a password': {
          grant_type: 'refresh_token',
          username: lab.target.users[0]?.username,
          password: lab.target.users[0]?.password,
        },
        'grant_type is client_credentials and there is no user': {
          grant_type: 'client_credentials',
          username: undefined,
          password: undefined,
        },
      }),
  },
  {
    id: 'TOKEN-REFUSE-13',
    title: 'MUST refuse a refresh whose refresh_token is missing, empty or only similar to one that was issued',
    basis: 'derived',
    clauses: ['C-5.1-3'],
    faults: [
      'token-refresh-refused',
      'refresh-token-left-out-accepted',
      'refresh-token-empty-accepted',
      'refresh-token-longer-accepted',
      'refresh-token-beginning-accepted',
      'refresh-token-case-ignored',
      'refresh-by-username',
    ],
    check: async (lab) => {
      const token = await takeRequestToken(lab)
      const username = lab.target.users[0]?.username ?? ''
      await expectEachRefreshRefused(lab, {
        'refresh_token is left out': { refresh_token: undefined },
        'refresh_token is empty': { refresh_token: '' },
        'refresh_token has a character more': { refresh_token: `${token}x` },
        'the last character of refresh_token is missing': { refresh_token: token.slice(0, -1) },
        'refresh_token is the name of the user': { refresh_token: username, username },
        ...(upper(token) === token
          ? {}
          : { 'the letters of refresh_token have another case': { refresh_token: upper(token) } }),
      })
    },
  },
  {
    id: 'TOKEN-ERROR-02',
    title: 'MUST say with each refused grant what is wrong, as strings error and error_description',
    section: '7',
    clauses: ['C-7-1', 'C-1-1'],
    faults: [
      'client-error-plain-text',
      'client-error-without-description',
      'grant-type-error-without-description',
      'refresh-error-without-description',
      'missing-parameter-error-plain-text',
      'grant-error-in-list',
    ],
    check: async (lab) => {
      await asSetup('a grant with nothing wrong', () => takeGrant(lab))
      const wrong: readonly Changes[] = [
        { client_secret: `${lab.target.clientSecret}x` },
        { client_id: lab.mark },
        { grant_type: 'no_such_grant' },
        { grant_type: 'refresh_token', refresh_token: lab.mark },
        { password: undefined },
        { grant_type: undefined },
        { password: lab.mark },
      ]
      for (const changes of wrong) {
        const reply = await lab.token(changes)
        const because = `of ${Object.keys(changes).join()}, which is wrong`
        const { error_description: text } = reply.json ?? {}
        expect(
          typeof text === 'string',
          `error_description as a string, because ${because}`,
          `${showValue(text)} came`,
          reply,
        )
      }
    },
  },
  {
    id: 'TOKEN-SESSION-01',
    title: 'MUST NOT let a grant, a refresh or a refused grant end the tokens of other devices and users',
    section: '5.2',
    basis: 'derived',
    clauses: ['C-8-1', 'C-5.2-6', 'C-5.1-2'],
    faults: [
      'grant-ends-earlier-access-token',
      'grant-ends-earlier-request-token',
      'refresh-ends-tokens-of-others',
      'grant-ends-tokens-of-others',
      'refused-grant-ends-tokens',
      'three-sessions-at-most',
      'refused-refresh-ends-tokens',
    ],
    alone: true,
    check: async (lab) => {
      const earlier = [await asSetup('a grant', () => takeGrant(lab)), await asSetup('a grant', () => takeGrant(lab))]
      const others = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(() => asSetup('a grant', () => takeGrant(lab))))
      await lab.token({ password: lab.mark })
      await refresh(lab, lab.mark)
      await refresh(lab, readRequestToken(others[0]?.reply ?? ({} as Reply)))
      for (const { token } of [...earlier, ...others.slice(1)]) {
        const reply = await lab.openSync(token)
        expect(
          typeof reply.json?.pos === 'number',
          'a sync answer, the token being seconds old and of another device',
          `${reply.status} ${showValue(reply.json ?? reply.text)}`,
          reply,
        )
      }
      for (const { reply } of earlier) readAccessToken(await refresh(lab, readRequestToken(reply)))
    },
  },
  {
    id: 'TOKEN-REFRESH-03',
    title: 'MUST keep the session through many refreshes, each with the request_token of the one before',
    basis: 'derived',
    clauses: ['C-5.1-2', 'C-5.2-6'],
    faults: [
      'refresh-twice-at-most',
      'refresh-of-refresh-has-no-request-token',
      'refreshed-token-dies-soon',
      'refresh-repeats-first-pair',
    ],
    check: async (lab) => {
      const tokens = new Set<string>()
      let last = (await asSetup('a grant', () => takeGrant(lab))).reply
      for (let count = 1; count <= 5; count += 1) {
        last = await refresh(lab, readRequestToken(last))
        const token = readAccessToken(last)
        expect(!tokens.has(token), `another access_token with refresh ${count}`, 'one that was given before came', last)
        tokens.add(token)
        const reply = await lab.openSync(token)
        expect(
          typeof reply.json?.pos === 'number',
          `a sync answer with the token of refresh ${count}`,
          `${reply.status} ${showValue(reply.json ?? reply.text)}`,
          reply,
        )
      }
    },
  },
])
