import { expect, test } from 'vitest'
import { checkAuthorizeRequest } from './authorize-request.ts'

const back = 'https://app.example/back'
const other = 'https://app.example/other'
const app = { redirectUris: [back], isPublic: false }
const apps = new Map([
  ['one', app],
  ['two', { redirectUris: [back, other], isPublic: false }],
  ['none', { redirectUris: [], isPublic: false }],
  ['open', { redirectUris: ['com.example.app:/back'], isPublic: true }],
])
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const check = (query: string) => checkAuthorizeRequest([...new URLSearchParams(query)], async (id) => apps.get(id))
/** Checks a request with unreadable fields. */
const checkBroken = (query: string, ...broken: string[]) =>
  checkAuthorizeRequest(
    [...new URLSearchParams(query), ...broken.map((name) => [name, undefined] as const)],
    async (id) => apps.get(id),
  )
const query = 'response_type=code&client_id=one'

test('a complete request is valid', async () => {
  const result = await check(
    `${query}&redirect_uri=${back}&state=a+b&code_challenge=${challenge}&code_challenge_method=S256&scope=&x=1&x=2`,
  )

  expect(result).toEqual({
    kind: 'valid',
    request: { app, redirectUri: back, isRedirectGiven: true, state: 'a b', challenge },
  })
})

test('state, scope and challenge may be absent or empty for a confidential client', async () => {
  const bare = { kind: 'valid', request: { app, redirectUri: back, isRedirectGiven: false } }

  expect(await check(query)).toEqual(bare)
  expect(await check(`${query}&state=&code_challenge=&code_challenge_method=&redirect_uri=&scope=a+b`)).toEqual(bare)
})

test.each([
  ['response_type=code', 'client_id', 'is required'],
  ['response_type=code&client_id=', 'client_id', 'is required'],
  [`response_type=code&client_id=three&redirect_uri=${back}`, 'client_id', 'is not the client ID of a registered app'],
  [`${query}&client_id=one`, 'client_id', 'is given more than once'],
  [`${query}&redirect_uri=${other}`, 'redirect_uri', 'is not a redirect URI of the app'],
  [`${query}&redirect_uri=${back}&redirect_uri=${back}`, 'redirect_uri', 'is given more than once'],
  ['client_id=two', 'redirect_uri', 'is required, because the app has more than one redirect URI'],
  ['client_id=none', 'redirect_uri', 'is missing, and the app has no redirect URI'],
  [`client_id=none&redirect_uri=${back}`, 'redirect_uri', 'is not a redirect URI of the app'],
  // Other errors are not sent to an unknown URI.
  ['client_id=one&response_type=token&redirect_uri=https://evil.example', 'redirect_uri', expect.any(String)],
])('%s is rejected on a page that names %s', async (query, parameter, reason) => {
  expect(await check(query)).toEqual({ kind: 'errorHere', parameter, reason })
})

const pkce = `code_challenge=${challenge}&code_challenge_method=S256`

test.each([
  ['client_id=one', 'invalid_request', 'response_type is required'],
  ['client_id=one&response_type=token', 'unsupported_response_type', 'response_type must be code'],
  ['client_id=one&response_type=code+token', 'unsupported_response_type', 'response_type must be code'],
  ['client_id=one&response_type=CODE', 'unsupported_response_type', 'response_type must be code'],
  [`${query}&response_type=code`, 'invalid_request', 'response_type is given more than once'],
  [`${query}&code_challenge=${challenge}`, 'invalid_request', 'code_challenge_method must be S256'],
  [`${query}&code_challenge=${challenge}&code_challenge_method=plain`, 'invalid_request', /must be S256$/],
  [`${query}&code_challenge=${challenge}&code_challenge_method=s256`, 'invalid_request', /must be S256$/],
  [`${query}&code_challenge_method=S256`, 'invalid_request', /without a code_challenge$/],
  [`${query}&${pkce}&${pkce}`, 'invalid_request', 'code_challenge is given more than once'],
  [`${query}&code_challenge=x&code_challenge_method=S256`, 'invalid_request', /^code_challenge must be a SHA-256/],
  [`${query}&code_challenge=${challenge}=&code_challenge_method=S256`, 'invalid_request', /43 characters$/],
  ['client_id=open&response_type=code', 'invalid_request', /^code_challenge is required/],
])('%s goes back to the app as %s', async (query, error, description) => {
  const result = await check(`${query}&state=s1`)

  expect(result).toMatchObject({ kind: 'errorToApp', state: 's1', error })
  const said = result.kind === 'errorToApp' ? result.description : ''
  expect(said).toMatch(description)
  // The characters that an error_description may contain (RFC 6749, 4.1.2.1).
  expect(said).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
})

test('a state that is given twice is not sent back', async () => {
  expect(await check(`${query}&state=a&state=b`)).toMatchObject({
    kind: 'errorToApp',
    state: undefined,
    description: 'state is given more than once',
  })
})

test('a public client with a challenge is valid', async () => {
  expect(await check(`response_type=code&client_id=open&${pkce}`)).toMatchObject({
    kind: 'valid',
    request: { redirectUri: 'com.example.app:/back', challenge },
  })
})

test.each(['response_type', 'state', 'code_challenge', 'code_challenge_method', 'scope'])(
  'a %s that cannot be read goes back to the app by its name, without it',
  async (name) => {
    const rest = new URLSearchParams(`${query}&state=s&${pkce}`)
    rest.delete(name)

    expect(await checkBroken(rest.toString(), name)).toEqual({
      kind: 'errorToApp',
      app,
      redirectUri: back,
      state: name === 'state' ? undefined : 's',
      error: 'invalid_request',
      description: `${name} is not percent-encoded UTF-8`,
    })
  },
)

test('an unreadable client id or redirect URI is rejected on a page', async () => {
  const reason = 'is not percent-encoded UTF-8'

  expect(await checkBroken('response_type=code', 'client_id')).toEqual({
    kind: 'errorHere',
    parameter: 'client_id',
    reason,
  })
  expect(await checkBroken(query, 'redirect_uri')).toEqual({ kind: 'errorHere', parameter: 'redirect_uri', reason })
})

test('unknown parameters may be unreadable, and repeated ones are reported as repeated', async () => {
  expect(await checkBroken(`${query}&state=s`, 'x')).toMatchObject({ kind: 'valid' })
  expect(await checkBroken(`${query}&state=s`, 'state')).toMatchObject({ description: 'state is given more than once' })
})
