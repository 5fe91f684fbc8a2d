import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { addApp, addPublicClient, removeApp } from './apps.ts'
import { type CodeGrant, grantByCode, issueCode } from './authorization-codes.ts'
import { hashSecret } from './sessions.ts'
import { disableUser, resetPassword } from './users.ts'

const back = 'https://app.example/back'
const verifier = 'a'.repeat(43)

/** A fixture with a confidential client that has a redirect URI, and a public client. */
const openFixture = async () => {
  const fixture = await openGrantServer()
  const { store, environment, anna } = fixture
  const { clientId, clientSecret } = await addApp(store, 'web', environment, { redirectUris: [back] })
  const phone = await addPublicClient(store, 'phone', environment, { redirectUris: [back] })
  const plain = { clientId, userId: anna.id, redirectUri: back, isRedirectNamed: true }
  return {
    ...fixture,
    web: { clientId, clientSecret },
    phone: { clientId: phone.clientId },
    issue: (request = {}) => issueCode(store, { ...plain, ...request }, environment),
    redeem: (form: Pick<CodeGrant, 'code'> & Partial<CodeGrant>) =>
      grantByCode(store, { clientId, clientSecret, redirectUri: back, ...form }, environment),
  }
}

const errorOf = (kind: string) => ({ kind, status: 400, error: 'invalid_grant' })
const invalid = errorOf('codeInvalid')

test('a code begins a session of its app and user, and only its hash is kept', async () => {
  const { store, anna, web, issue, redeem, use } = await openFixture()

  const code = await issue()
  const kept = await store.registry.listCodes(anna.id)
  const grant = await redeem({ code })

  expect(Buffer.from(code, 'base64url')).toHaveLength(32)
  expect(JSON.stringify(kept)).not.toContain(code)
  expect(grant).toMatchObject({ userId: anna.id, expiresInSeconds: 3600 })
  expect(await use(grant.accessToken)).toMatchObject({ userId: anna.id, clientId: web.clientId, began: 'code' })
})

test('a second use of a code is rejected and ends the session that the first began, and no other', async () => {
  const { issue, redeem, use, refresh, web, login } = await openFixture()
  const code = await issue()
  const [grant, other] = [await redeem({ code }), await login()]

  await expect(redeem({ code, redirectUri: undefined })).rejects.toMatchObject(invalid)

  await expect(use(grant.accessToken)).rejects.toMatchObject({ kind: 'tokenInvalid' })
  await expect(refresh(grant.refreshToken, web)).rejects.toMatchObject({ kind: 'refreshTokenInvalid' })
  await use(other.accessToken)
  await expect(redeem({ code })).rejects.toMatchObject(invalid)
})

test('of two uses at once one begins a session, and the other ends it', async () => {
  const { issue, redeem, store, anna } = await openFixture()
  const code = await issue()

  const uses = await Promise.allSettled([redeem({ code }), redeem({ code })])

  expect(uses.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await store.registry.listSessions(anna.id)).toEqual([])
})

test('a code expires after a minute', async () => {
  const { issue, redeem, passSeconds } = await openFixture()
  const [first, second] = [await issue(), await issue()]

  passSeconds(59)
  await redeem({ code: first })
  passSeconds(1)
  await expect(redeem({ code: second })).rejects.toMatchObject(invalid)
})

test('a code is bound to its app; attempts of other apps leave it valid', async () => {
  const { issue, redeem, phone, app, web } = await openFixture()
  const code = await issue({ challenge: hashSecret(verifier) })

  for (const client of [{ ...phone, clientSecret: undefined }, app])
    await expect(redeem({ code, verifier, ...client })).rejects.toMatchObject(invalid)
  await expect(redeem({ code, verifier, clientSecret: 'wrong' })).rejects.toMatchObject({ kind: 'clientInvalid' })
  await expect(redeem({ code: `${code.slice(1)}A`, verifier })).rejects.toMatchObject(invalid)
  await redeem({ code, verifier, ...web })
})

test('a grant repeats the redirect URI, or the URL to which the browser was redirected', async () => {
  const { issue, redeem } = await openFixture()
  const named = await issue({ state: 'x' })
  const wrong = [`${back}?code=other`, `${back}?code=${named}&state=y`]
  for (const redirectUri of [undefined, `${back}/`, 'https://evil.example/', ...wrong])
    await expect(redeem({ code: named, redirectUri })).rejects.toMatchObject(errorOf('codeRedirectWrong'))
  await redeem({ code: named, redirectUri: `${back}?code=${named}&state=x` })

  const [first, second] = [await issue({ isRedirectNamed: false }), await issue({ isRedirectNamed: false })]
  const elsewhere = redeem({ code: first, redirectUri: 'https://evil.example/' })
  await expect(elsewhere).rejects.toMatchObject(errorOf('codeRedirectWrong'))
  await redeem({ code: first, redirectUri: undefined })
  await redeem({ code: second })
})

test('a code with a challenge needs its verifier, and a code without a challenge takes none', async () => {
  const { issue, redeem } = await openFixture()
  const [challenged, plain] = [await issue({ challenge: hashSecret(verifier) }), await issue()]

  await expect(redeem({ code: challenged })).rejects.toMatchObject(errorOf('codeVerifierMissing'))
  for (const wrong of ['', 'b'.repeat(43), hashSecret(verifier)])
    await expect(redeem({ code: challenged, verifier: wrong })).rejects.toMatchObject(errorOf('codeVerifierWrong'))
  for (const wrong of ['', verifier])
    await expect(redeem({ code: plain, verifier: wrong })).rejects.toMatchObject(errorOf('codeVerifierUnexpected'))
  await redeem({ code: challenged, verifier })
  await redeem({ code: plain })
})

test('a public client gets tokens with a verifier and without a secret, and refreshes them so', async () => {
  const { issue, redeem, refresh, phone } = await openFixture()
  const client = { ...phone, clientSecret: undefined }
  const [challenged, plain] = [await issue({ ...phone, challenge: hashSecret(verifier) }), await issue(phone)]

  await expect(redeem({ ...client, code: plain })).rejects.toMatchObject(invalid)
  const grant = await redeem({ ...client, code: challenged, verifier })
  await refresh(grant.refreshToken, client)
})

test.each(['user disabled', 'password changed', 'app removed'])('a code is worth nothing with its %s', async (what) => {
  const { store, environment, issue, redeem, web, anna } = await openFixture()
  await store.registry.change((registry) =>
    registry.put('users', { ...anna, id: 'other', name: 'other', isAdmin: true }),
  )
  const code = await issue()

  if (what === 'user disabled') await disableUser(store, 'anna', environment)
  if (what === 'password changed') await resetPassword(store, { name: 'anna', password: 'battery staple' })
  if (what === 'app removed') await removeApp(store, web.clientId)

  await expect(redeem({ code })).rejects.toMatchObject({
    kind: what === 'app removed' ? 'clientInvalid' : 'codeInvalid',
  })
  expect(await store.registry.listCodes(anna.id)).toEqual([])
})

test('issuing a code deletes expired codes, and a user has at most 50', async () => {
  const { store, issue, redeem, passSeconds, anna } = await openFixture()
  const used = await issue()
  await redeem({ code: used })
  for (let n = 0; n < 60; n++) await issue()
  expect(await store.registry.listCodes(anna.id)).toHaveLength(50)

  passSeconds(61)
  await issue()
  expect(await store.registry.listCodes(anna.id)).toHaveLength(2)
  passSeconds(3600)
  await issue()
  expect(await store.registry.listCodes(anna.id)).toHaveLength(1)
})
