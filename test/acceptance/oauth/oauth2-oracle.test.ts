import { expect, test } from 'vitest'
import { addApp, addPublicClient } from '../../../src/accounts/apps.ts'
import { type CodeRequest, issueCode } from '../../../src/accounts/authorization-codes.ts'
import { hashSecret } from '../../../src/accounts/sessions.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { createOracle, type TokenOutcome, type TokenRequest } from '../../support/oauth2-oracle.ts'
import { openFileServer } from '../../support/open-test-server.ts'

const server = await openFileServer()
const back = 'https://app.example/back'
const elsewhere = 'https://app.example/elsewhere'
const details = { redirectUris: [back, elsewhere] }

const web = await addApp(server.store, 'web', systemEnvironment, details)
const other = await addApp(server.store, 'other', systemEnvironment, details)
const phone = await addPublicClient(server.store, 'phone', systemEnvironment, details)
const oracle = createOracle([web, other, { clientId: phone.clientId }])

const annaId = (await server.store.registry.findUserByName('anna'))?.id ?? ''
const verifier = 'a-verifier-that-is-as-long-as-it-has-to-be.'
const challenge = hashSecret(verifier)

const asWeb = { client_id: web.clientId, client_secret: web.clientSecret }
const asOther = { client_id: other.clientId, client_secret: other.clientSecret }
const asPhone = { client_id: phone.clientId }
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** Issues the same code on both sides. */
const issue = async (bound: Partial<CodeRequest> & { readonly isExpired?: boolean } = {}): Promise<string> => {
  const { isExpired = false, ...request } = bound
  const whole = { clientId: web.clientId, userId: annaId, redirectUri: back, isRedirectNamed: true, ...request }
  const now = isExpired ? Date.now() - 61_000 : Date.now()
  const code = await issueCode(server.store, { ...whole, state: 'x' }, { ...systemEnvironment, now: () => now })
  const { clientId, isRedirectNamed, redirectUri, challenge: codeChallenge } = whole
  oracle.addCode({
    code,
    clientId,
    redirectUri: isRedirectNamed ? redirectUri : undefined,
    challenge: codeChallenge,
    expiresAt: new Date(now + 60_000),
  })
  return code
}

/** Creates the same refresh token on both sides. */
const issueRefreshToken = async (): Promise<string> => {
  const form = { grant_type: 'password', username: 'anna', password: 'correct horse', ...asWeb }
  const token = String((await server.post('/token', { form })).body.refresh_token)
  oracle.addRefreshToken(token, web.clientId)
  return token
}

const requestFromServer = async ({ form, authorization }: TokenRequest): Promise<TokenOutcome> => {
  const headers = authorization === undefined ? {} : { authorization }
  const { status, body } = await server.post('/token', { form, headers })
  return status === 200 ? 'tokens' : `${status} ${body.error}`
}

const byCode = (code: string, more: Readonly<Record<string, string>> = asWeb): TokenRequest => ({
  form: { grant_type: 'authorization_code', code, redirect_uri: back, ...more },
})
const bare = (form: Record<string, string>): TokenRequest => ({ form })
const withHeader = ({ form }: TokenRequest, authorization: string): TokenRequest => ({ form, authorization })

type Row = readonly [what: string, make: () => Promise<readonly TokenRequest[]>]

/** Where both say the same. */
const same: readonly (readonly [...Row, both: string])[] = [
  ['a code', async () => [byCode(await issue())], 'tokens'],
  [
    'a code, with Basic',
    async () => [withHeader(byCode(await issue(), {}), basic(web.clientId, web.clientSecret))],
    'tokens',
  ],
  ['a code twice', async () => Array(2).fill(byCode(await issue())), 'tokens, 400 invalid_grant'],
  [
    'no code',
    async () => [bare({ grant_type: 'authorization_code', redirect_uri: back, ...asWeb })],
    '400 invalid_request',
  ],
  ['an empty code', async () => [byCode('')], '400 invalid_request'],
  ['an unknown code', async () => [byCode('x'.repeat(43))], '400 invalid_grant'],
  ['an expired code', async () => [byCode(await issue({ isExpired: true }))], '400 invalid_grant'],
  ["another app's code", async () => [byCode(await issue(), asOther)], '400 invalid_grant'],
  [
    'a wrong secret, with Basic',
    async () => [withHeader(byCode(await issue(), {}), basic(web.clientId, 'wrong'))],
    '401 invalid_client',
  ],
  ['no address in either request', async () => [bare({ ...(await unnamed()), ...asWeb })], 'tokens'],
  [
    'a redirect URI in the second request only',
    async () => [bare({ ...(await unnamed()), redirect_uri: back, ...asWeb })],
    'tokens',
  ],
  ['the verifier', async () => [byCode(await issue({ challenge }), { ...asWeb, code_verifier: verifier })], 'tokens'],
  ['no verifier', async () => [byCode(await issue({ challenge }))], '400 invalid_grant'],
  [
    'a wrong verifier',
    async () => [byCode(await issue({ challenge }), { ...asWeb, code_verifier: 'x'.repeat(43) })],
    '400 invalid_grant',
  ],
  [
    'a verifier without a challenge',
    async () => [byCode(await issue(), { ...asWeb, code_verifier: verifier })],
    '400 invalid_grant',
  ],
  [
    'a public client with its verifier',
    async () => [byCode(await issueToPhone(), { ...asPhone, code_verifier: verifier })],
    'tokens',
  ],
  ['no grant', async () => [bare({ ...asWeb })], '400 invalid_request'],
  ['an unknown grant', async () => [bare({ grant_type: 'magic', ...asWeb })], '400 unsupported_grant_type'],
  ['a refresh token', async () => [await refresh()], 'tokens'],
  [
    'an unknown refresh token',
    async () => [bare({ grant_type: 'refresh_token', refresh_token: 'x', ...asWeb })],
    '400 invalid_grant',
  ],
  ["another app's refresh token", async () => [await refresh(asOther)], '400 invalid_grant'],
  ['no refresh token', async () => [bare({ grant_type: 'refresh_token', ...asWeb })], '400 invalid_request'],
  ['a password', async () => [byPassword('correct horse')], 'tokens'],
  ['a wrong password', async () => [byPassword('wrong')], '400 invalid_grant'],
]

const unnamed = async () => ({ grant_type: 'authorization_code', code: await issue({ isRedirectNamed: false }) })
const issueToPhone = () => issue({ clientId: phone.clientId, challenge })
const refresh = async (client: Readonly<Record<string, string>> = asWeb) =>
  bare({ grant_type: 'refresh_token', refresh_token: await issueRefreshToken(), ...client })
const byPassword = (password: string, client: Readonly<Record<string, string>> = asWeb) =>
  bare({ grant_type: 'password', username: 'anna', password, ...client })

const status401 = 'contract, errors: invalid_client is 401, which RFC 6749, 5.2 allows also without Basic'
const mismatch = 'RFC 6749, 5.2 names a redirect URI that does not match under invalid_grant'
const staysGood =
  'a code is 32 random bytes and attempts are counted; if a wrong try used it up, an attacker could lock its app out'

/** Where they differ: what we say, what the oracle says, and why. */
const different: readonly (readonly [...Row, ours: string, theirs: string, reason: string])[] = [
  [
    'a wrong secret',
    async () => [byCode(await issue(), { ...asWeb, client_secret: 'wrong' })],
    '401 invalid_client',
    '400 invalid_client',
    status401,
  ],
  [
    'an unknown app',
    async () => [byCode(await issue(), { client_id: 'x', client_secret: 'x' })],
    '401 invalid_client',
    '400 invalid_client',
    status401,
  ],
  ['no app', async () => [byCode(await issue(), {})], '401 invalid_client', '400 invalid_client', status401],
  [
    'a verifier instead of the secret',
    async () => [byCode(await issue({ challenge }), { client_id: web.clientId, code_verifier: verifier })],
    '401 invalid_client',
    '400 invalid_client',
    status401,
  ],
  [
    'Basic and a form with a secret',
    async () => [withHeader(byCode(await issue()), basic(web.clientId, web.clientSecret))],
    '400 invalid_request',
    'tokens',
    'RFC 6749, 2.3: a client must not use more than one method',
  ],
  [
    'no redirect URI, though one was named',
    async () => [byCode(await issue(), { ...asWeb, redirect_uri: '' })],
    '400 invalid_grant',
    '400 invalid_request',
    mismatch,
  ],
  [
    'another redirect URI',
    async () => [byCode(await issue(), { ...asWeb, redirect_uri: elsewhere })],
    '400 invalid_grant',
    '400 invalid_request',
    mismatch,
  ],
  [
    'another redirect URI, though none was named',
    async () => [bare({ ...(await unnamed()), redirect_uri: elsewhere, ...asWeb })],
    '400 invalid_grant',
    'tokens',
    'the code was sent to another redirect URI of the app',
  ],
  [
    'the URL that the browser arrived at',
    async () => arriveAt(await issue()),
    'tokens',
    '400 invalid_request',
    'contract, the authorization code flow: an existing client sends its current URL',
  ],
  [
    'a verifier that is too short',
    async () => [byCode(await issue({ challenge }), { ...asWeb, code_verifier: 'short' })],
    '400 invalid_grant',
    '400 invalid_request',
    'RFC 7636, 4.6: one that does not fit is invalid_grant, whatever it looks like',
  ],
  [
    'a public client without its verifier',
    async () => [byCode(await issueToPhone(), asPhone)],
    '400 invalid_grant',
    '400 invalid_client',
    'the app is known and right; what fails is the verifier (RFC 7636, 4.6)',
  ],
  [
    'a wrong verifier, then the right one',
    async () => retry(await issue({ challenge }), { code_verifier: 'x'.repeat(43) }),
    '400 invalid_grant, tokens',
    '400 invalid_grant, 400 invalid_grant',
    staysGood,
  ],
  [
    'a wrong redirect URI, then the right one',
    async () => retry(await issue({ challenge }), { redirect_uri: elsewhere }),
    '400 invalid_grant, tokens',
    '400 invalid_request, 400 invalid_grant',
    staysGood,
  ],
  [
    'a grant that we do not have',
    async () => [bare({ grant_type: 'client_credentials', ...asWeb })],
    '400 unsupported_grant_type',
    '400 unauthorized_client',
    'here no app may use it',
  ],
  [
    'a refresh token twice',
    async () => Array(2).fill(await refresh()),
    'tokens, tokens',
    'tokens, 400 invalid_grant',
    'contract, token: a response may be lost, so it works until the new pair is first used',
  ],
  [
    'a password from a public client',
    async () => [byPassword('correct horse', asPhone)],
    '400 unauthorized_client',
    '400 invalid_client',
    'the app is known and right; it may not use this grant (RFC 6749, 5.2)',
  ],
]

const arriveAt = (code: string) => [byCode(code, { ...asWeb, redirect_uri: `${back}?code=${code}&state=x` })]
const retry = (code: string, wrong: Readonly<Record<string, string>>) => [
  byCode(code, { ...asWeb, code_verifier: verifier, ...wrong }),
  byCode(code, { ...asWeb, code_verifier: verifier }),
]

const requestBoth = async (create: Row[1]) => {
  const outcomes = { ours: [] as string[], theirs: [] as string[] }
  for (const request of await create()) {
    outcomes.ours.push(await requestFromServer(request))
    outcomes.theirs.push(await oracle.ask(request))
  }
  return { ours: outcomes.ours.join(', '), theirs: outcomes.theirs.join(', ') }
}

test.each(same)('the token endpoint and the oracle say the same to %s', async (_what, create, both) => {
  expect(await requestBoth(create)).toEqual({ ours: both, theirs: both })
})

test.each(different)('they differ on %s', async (_what, create, ours, theirs, reason) => {
  expect(await requestBoth(create)).toEqual({ ours, theirs })
  expect(reason).not.toBe('')
})
