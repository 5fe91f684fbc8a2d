import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { endSession, listSessions } from './session-management.ts'
import { addPersonalToken, revokeToken } from './token-grants.ts'
import { resetPassword } from './users.ts'

const openFixture = async () => {
  const fixture = await openGrantServer()
  const { store, environment, anna } = fixture
  const create = (given = {}) =>
    addPersonalToken(store, { userId: anna.id, name: 'script', isReadOnly: false, ...given }, environment)
  return { ...fixture, create: create }
}

const invalid = { kind: 'tokenInvalid' }

test('a personal token is an access token of its user, and only its hash is kept', async () => {
  const { store, anna, create, use } = await openFixture()

  const { id, token } = await create({ isReadOnly: true })

  expect(await use(token)).toMatchObject({ id, userId: anna.id, personal: { name: 'script', isReadOnly: true } })
  expect(JSON.stringify(await store.registry.listSessions(anna.id))).not.toContain(token)
})

test('a personal token expires after the given time, or never', async () => {
  const { create, use, passSeconds } = await openFixture()
  const [short, long] = [await create({ expiresInSeconds: 60 }), await create()]

  passSeconds(59)
  await use(short.token)
  passSeconds(1)
  await expect(use(short.token)).rejects.toMatchObject(invalid)
  passSeconds(10 * 365 * 24 * 3600)
  await use(long.token)
})

test('the last use of a personal token is written once an hour, however often it is used', async () => {
  const { store, environment, anna, create, use, passSeconds } = await openFixture()
  const { token } = await create()
  const lastUse = async () => (await listSessions(store, anna.id, environment))[0]?.lastUsedAt

  expect(await lastUse()).toBeUndefined()
  await Promise.all([use(token), use(token), use(token)])
  expect(await lastUse()).toBe(1_700_000_000)
  passSeconds(3599)
  await use(token)
  expect(await lastUse()).toBe(1_700_000_000)
  passSeconds(1)
  await use(token)
  expect(await lastUse()).toBe(1_700_003_600)
})

test('a revocation or a new password ends a personal token; no app can', async () => {
  const { store, app, anna, create, use, refresh } = await openFixture()
  const [first, second] = [await create(), await create()]

  await revokeToken(store, { ...app, token: first.token })
  await expect(refresh(first.token)).rejects.toMatchObject({ kind: 'refreshTokenInvalid' })
  await use(first.token)
  expect(await endSession(store, anna.id, first.id)).toBe(true)
  await expect(use(first.token)).rejects.toMatchObject(invalid)
  await use(second.token)
  await resetPassword(store, { name: 'anna', password: 'battery staple' })
  await expect(use(second.token)).rejects.toMatchObject(invalid)
})

test('grants replace no personal token, and a user has at most 100', async () => {
  const { create, use, login } = await openFixture()
  const { token } = await create()
  for (let n = 1; n < 100; n++) await create()

  await expect(create()).rejects.toThrow('a user may have at most 100 tokens; revoke one first')
  for (let n = 0; n < 3; n++) await login()

  await use(token)
})
