import { readAccessToken } from '../access-tokens.ts'
import type { Reply } from '../client.ts'
import { showValue } from '../encoding.ts'
import { expect, expectErrorResponse } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { asSetup } from '../result.ts'
import { coreRulesOf } from '../rule.ts'
import { readSyncResponse } from '../sync-messages.ts'
import { readRequestToken, refresh, takeGrant, takeRequestToken } from './token-responses-5-2.ts'

/** Parameters of a grant to replace; undefined removes one. */
type Changes = Readonly<Record<string, string | undefined>>

/** Expects an error in the form of every error (interface 7), without a token. */
const expectNoGrant = (reply: Reply, because: string): void => {
  // A token beside an error would still be a token.
  const hasToken = reply.json?.access_token !== undefined
  expectErrorResponse(hasToken ? { ...reply, error: undefined } : reply, because)
}

/** Expects an error for each wrong password grant, and none for the right one; keys of `wrong` describe the mistake. */
const expectEachRejected = async (lab: Lab, wrong: Readonly<Record<string, Changes>>): Promise<void> => {
  await asSetup('the same grant with nothing wrong', () => takeGrant(lab))
  for (const [because, changes] of Object.entries(wrong)) expectNoGrant(await lab.token(changes), because)
  await takeGrant(lab)
}

/** Does the same for refreshes, each with a refresh token that was not presented before. */
const expectEachRefreshRejected = async (lab: Lab, wrong: Readonly<Record<string, Changes>>): Promise<void> => {
  let last = await asSetup('a refresh with nothing wrong', async () => refresh(lab, await takeRequestToken(lab)))
  await asSetup('a refresh with nothing wrong', async () => readAccessToken(last))
  for (const [because, changes] of Object.entries(wrong)) {
    // The last refresh gave the token, because servers check passwords slowly; where it gave none, a grant does.
    const { request_token: renewed } = last.json ?? {}
    const token = typeof renewed === 'string' && renewed !== '' ? renewed : await takeRequestToken(lab)
    expectNoGrant(await lab.token({ grant_type: 'refresh_token', refresh_token: token, ...changes }), because)
    last = await refresh(lab, token)
  }
}

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

/** Rejected grants; error code and status are the server's choice (interface 5.1, 7). */
export const tokenErrorRules = coreRulesOf('5.2', [
  {
    id: 'TOKEN-REJECT-01',
    title: 'MUST reject a password grant with a wrong password',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: ['token-password-unchecked', 'token-password-case-ignored'],
    check: async (lab) => {
      await asSetup('the grant with the right password', () => takeGrant(lab))
      const password = lab.target.users[0]?.password ?? ''
      for (const wrong of new Set([`${password}x`, swapCase(password)])) {
        if (wrong !== password) expectErrorResponse(await lab.token({ password: wrong }), 'the password is wrong')
      }
      await takeGrant(lab)
    },
  },
  {
    id: 'TOKEN-REJECT-02',
    title: 'MUST reject a password grant for a user that does not exist',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: ['token-unknown-user-accepted'],
    check: async (lab) => {
      await asSetup('the grant with the right user', () => takeGrant(lab))
      expectErrorResponse(await lab.token({ username: lab.mark }), 'there is no such user')
    },
  },
  {
    id: 'TOKEN-REJECT-03',
    title: 'MUST reject a password grant with a wrong client_secret',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-1-3', 'C-5.1-3'],
    faults: ['token-client-secret-unchecked'],
    check: async (lab) => {
      await asSetup('the grant with the right client_secret', () => takeGrant(lab))
      expectErrorResponse(
        await lab.token({ client_secret: `${lab.target.clientSecret}x` }),
        'the client_secret is wrong',
      )
    },
  },
  {
    id: 'TOKEN-REJECT-04',
    title: 'MUST reject a password grant of an application that is not registered',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-1-3', 'C-5.1-3'],
    faults: ['token-client-id-unchecked'],
    check: async (lab) => {
      await asSetup('the grant with the right client_id', () => takeGrant(lab))
      expectErrorResponse(await lab.token({ client_id: lab.mark }), 'no application has this client_id')
    },
  },
  {
    id: 'TOKEN-REJECT-05',
    title: 'MUST reject a grant_type that does not exist',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: ['token-grant-type-ignored'],
    check: async (lab) => {
      await asSetup('the same request with grant_type password', () => takeGrant(lab))
      expectErrorResponse(await lab.token({ grant_type: 'no_such_grant' }), 'there is no grant_type no_such_grant')
    },
  },
  {
    id: 'TOKEN-REJECT-06',
    title: 'MUST reject a refresh with a token that was never issued',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: ['token-refresh-unchecked', 'token-refresh-rejected'],
    check: async (lab) => {
      const requestToken = await takeRequestToken(lab)
      expectErrorResponse(await refresh(lab, lab.mark), 'this refresh_token was never issued')
      readAccessToken(await refresh(lab, requestToken))
    },
  },
  {
    id: 'TOKEN-REJECT-07',
    title: 'MUST reject a refresh with a wrong client_secret',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-1-3', 'C-5.1-3'],
    faults: ['token-refresh-secret-unchecked', 'token-refresh-rejected'],
    check: async (lab) => {
      const otherToken = await takeRequestToken(lab)
      await asSetup('a refresh with the right client_secret', async () =>
        readAccessToken(await refresh(lab, otherToken)),
      )
      const changes = { client_secret: `${lab.target.clientSecret}x` }
      expectErrorResponse(await refresh(lab, await takeRequestToken(lab), changes), 'the client_secret is wrong')
    },
  },
  {
    // The two tokens of a pair have different uses; a stolen access token must not be valid permanently.
    id: 'TOKEN-REJECT-08',
    title: 'MUST reject an access token as refresh_token',
    section: '5.1',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: ['token-access-token-refreshes', 'token-refresh-rejected'],
    check: async (lab) => {
      const otherToken = await takeRequestToken(lab)
      await asSetup('a refresh with a request_token', async () => readAccessToken(await refresh(lab, otherToken)))
      const { token } = await asSetup('a password grant', () => takeGrant(lab))
      expectErrorResponse(await refresh(lab, token), 'this is the access_token of the pair, not its request_token')
    },
  },
  {
    id: 'TOKEN-REJECT-09',
    title: 'MUST reject a request_token as access token',
    section: '5.3',
    basis: 'implied',
    requirements: ['C-1-4', 'C-7-2'],
    faults: ['token-request-token-opens-sync', 'access-token-never-valid'],
    check: async (lab) => {
      const { token, reply } = await asSetup('a password grant', () => takeGrant(lab))
      await asSetup('a sync with the access token', async () => readSyncResponse(await lab.openSync(token), 'a sync'))
      expectErrorResponse(await lab.openSync(readRequestToken(reply)), 'this is the request_token of the pair')
    },
  },
  {
    // Errors are a JSON object with two strings, also at the token endpoint; code and status are the server's choice.
    id: 'TOKEN-ERROR-01',
    title: 'MUST reject a grant with a JSON object with the strings error and error_description',
    section: '7',
    requirements: ['C-7-1', 'C-1-1'],
    faults: [
      'token-error-plain-text',
      'token-error-without-description',
      'token-error-without-code',
      'token-error-code-number',
    ],
    check: async (lab) => {
      await asSetup('the grant with the right user', () => takeGrant(lab))
      const reply = await lab.token({ username: lab.mark, password: lab.mark })
      expectErrorResponse(reply, 'there is no such user')
      const description = reply.json?.error_description
      expect(typeof description === 'string', 'error_description as a string', `${showValue(description)} came`, reply)
    },
  },
])

const upper = (text: string): string => (text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase())

/** Variants of a secret that differ from the secret. */
const nearly = (name: string, secret: string): Record<string, Changes> => ({
  [`${name} is left out`]: { [name]: undefined },
  [`${name} is empty`]: { [name]: '' },
  [`${name} has a character more`]: { [name]: `${secret}x` },
  [`${name} has blanks around it`]: { [name]: ` ${secret} ` },
  ...(secret.length > 1 ? { [`the last character of ${name} is missing`]: { [name]: secret.slice(0, -1) } } : {}),
  ...(upper(secret) === secret ? {} : { [`the letters of ${name} have another case`]: { [name]: upper(secret) } }),
})

/** Client authentication, and the location of parameters (interface 5, 5.1). */
export const tokenClientRules = coreRulesOf('5.1', [
  {
    id: 'TOKEN-CLIENT-01',
    title: 'MUST reject a password grant whose client_secret is missing, empty or only similar',
    basis: 'implied',
    requirements: ['C-1-3', 'C-5.1-3'],
    faults: [
      'client-secret-left-out-accepted',
      'client-secret-empty-accepted',
      'client-secret-beginning-accepted',
      'client-secret-case-ignored',
      'client-secret-longer-accepted',
      'client-secret-trimmed',
      'client-of-session-remembered',
    ],
    check: (lab) => expectEachRejected(lab, nearly('client_secret', lab.target.clientSecret)),
  },
  {
    id: 'TOKEN-CLIENT-02',
    title: 'MUST reject a password grant whose client_id is missing, empty or only similar',
    basis: 'implied',
    requirements: ['C-1-3', 'C-5.1-3'],
    faults: [
      'client-id-left-out-accepted',
      'client-id-empty-accepted',
      'client-id-beginning-accepted',
      'client-id-longer-accepted',
      'client-id-any-with-secret-left-out',
    ],
    check: (lab) => {
      const { clientId } = lab.target
      return expectEachRejected(lab, {
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
    title: 'MUST reject a refresh whose client_id or client_secret is missing, empty or wrong',
    basis: 'implied',
    requirements: ['C-1-3', 'C-5.1-3'],
    faults: [
      'token-refresh-rejected',
      'refresh-secret-left-out-accepted',
      'refresh-secret-empty-accepted',
      'refresh-client-id-unchecked',
      'refresh-client-left-out-accepted',
      'refresh-secret-beginning-accepted',
    ],
    check: (lab) =>
      expectEachRefreshRejected(lab, {
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
    id: 'TOKEN-REJECT-10',
    title: 'MUST reject a password grant whose password is missing, empty or longer',
    basis: 'implied',
    requirements: ['C-5.1-3'],
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
      return expectEachRejected(lab, {
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
    id: 'TOKEN-REJECT-11',
    title: 'MUST reject a password grant whose username is missing, empty or only similar',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: [
      'username-left-out-accepted',
      'username-empty-accepted',
      'username-longer-accepted',
      'username-beginning-accepted',
      'username-pattern-accepted',
    ],
    check: (lab) => {
      const username = lab.target.users[0]?.username ?? ''
      return expectEachRejected(lab, {
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
    id: 'TOKEN-REJECT-12',
    title: 'MUST reject a grant whose grant_type is missing, empty or another than the parameters are for',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: [
      'grant-type-left-out-accepted',
      'grant-type-empty-accepted',
      'grant-type-beginning-accepted',
      'grant-type-by-parameters',
      'grant-client-credentials-accepted',
    ],
    check: (lab) =>
      expectEachRejected(lab, {
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
    id: 'TOKEN-REJECT-13',
    title: 'MUST reject a refresh whose refresh_token is missing, empty or only similar to one that was issued',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: [
      'token-refresh-rejected',
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
      await expectEachRefreshRejected(lab, {
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
    title: 'MUST say with each rejected grant what is wrong, as strings error and error_description',
    section: '7',
    requirements: ['C-7-1', 'C-1-1'],
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
    title: 'MUST NOT let a grant, a refresh or a rejected grant end the tokens of other devices and users',
    section: '5.2',
    basis: 'implied',
    requirements: ['C-8-1', 'C-5.2-6', 'C-5.1-2'],
    faults: [
      'grant-ends-earlier-access-token',
      'grant-ends-earlier-request-token',
      'refresh-ends-tokens-of-others',
      'grant-ends-tokens-of-others',
      'rejected-grant-ends-tokens',
      'three-sessions-at-most',
      'rejected-refresh-ends-tokens',
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
          'a sync response, the token being seconds old and of another device',
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
    basis: 'implied',
    requirements: ['C-5.1-2', 'C-5.2-6'],
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
          `a sync response with the token of refresh ${count}`,
          `${reply.status} ${showValue(reply.json ?? reply.text)}`,
          reply,
        )
      }
    },
  },
])

/** Creates a text of the same length that some queries take as a pattern for any text. */
const underscores = (text: string): string => '_'.repeat(text.length)

const otherCase = (text: string): string => (text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase())

/** Credentials that are a pattern, a keyword or another credential (interface 5.1); few, as servers count attempts. */
export const tokenPatternRules = coreRulesOf('5.1', [
  {
    id: 'TOKEN-CLIENT-04',
    title: 'MUST reject a password grant whose client_secret is a pattern, a usual word or another credential',
    basis: 'implied',
    requirements: ['C-1-3', 'C-5.1-3'],
    faults: [
      'client-secret-percent-accepted',
      'client-secret-underscores-accepted',
      'client-secret-star-accepted',
      'client-secret-is-client-id',
      'client-secret-default-word',
    ],
    check: (lab) => {
      const { clientId, clientSecret } = lab.target
      return expectEachRejected(lab, {
        'client_secret is a percent sign': { client_secret: '%' },
        'client_secret is as many underscores': { client_secret: underscores(clientSecret) },
        'client_secret is a star': { client_secret: '*' },
        ...(clientId === clientSecret ? {} : { 'client_secret is the client_id': { client_secret: clientId } }),
        ...(clientSecret === 'secret' ? {} : { 'client_secret is the word secret': { client_secret: 'secret' } }),
      })
    },
  },
  {
    id: 'TOKEN-CLIENT-05',
    title: 'MUST reject a password grant whose client_id is a pattern or has another letter case',
    basis: 'implied',
    requirements: ['C-1-3', 'C-5.1-3'],
    faults: ['client-id-percent-accepted', 'client-id-case-ignored'],
    check: (lab) =>
      expectEachRejected(lab, {
        'client_id is a percent sign': { client_id: '%' },
        ...(otherCase(lab.target.clientId) === lab.target.clientId
          ? {}
          : { 'the letters of client_id have another case': { client_id: otherCase(lab.target.clientId) } }),
      }),
  },
  {
    id: 'TOKEN-REJECT-14',
    title: 'MUST reject a password grant whose password is a pattern or another credential',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: [
      'password-percent-accepted',
      'password-star-accepted',
      'password-is-username',
      'password-is-client-secret',
      'password-of-another-user',
    ],
    check: (lab) => {
      const { clientSecret, users } = lab.target
      const [first, second] = users
      const others = {
        'the password is the username': first?.username,
        'the password is the client_secret': clientSecret,
        'the password belongs to another user': second?.password,
      }
      return expectEachRejected(lab, {
        'the password is a percent sign': { password: '%' },
        'the password is a star': { password: '*' },
        ...Object.fromEntries(
          Object.entries(others)
            .filter(([, password]) => password !== undefined && password !== first?.password)
            .map(([because, password]) => [because, { password }]),
        ),
      })
    },
  },
  {
    id: 'TOKEN-REJECT-15',
    title: 'MUST reject a refresh whose refresh_token is a pattern or a word',
    basis: 'implied',
    requirements: ['C-5.1-3'],
    faults: ['refresh-token-percent-accepted', 'refresh-token-null-accepted'],
    check: (lab) =>
      expectEachRefreshRejected(lab, {
        'refresh_token is a percent sign': { refresh_token: '%' },
        'refresh_token is the word null': { refresh_token: 'null' },
      }),
  },
])
