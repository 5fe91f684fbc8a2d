import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { ApiError } from '../api-error.ts'
import { addApp } from './apps.ts'
import { issuePair, maxSessions } from './sessions.ts'
import { resetPassword } from './users.ts'

const days = 24 * 3600
const tokenInvalid = new ApiError('tokenInvalid')
const refreshTokenInvalid = new ApiError('refreshTokenInvalid')

test('a password grant begins a session of this user and this app, for an hour', async () => {
  const { login, use, anna, app, passSeconds } = await openGrantServer()

  const grant = await login()

  expect(grant.expiresInSeconds).toBe(3600)
  expect(await use(grant.accessToken)).toMatchObject({ userId: anna.id, clientId: app.clientId })
  passSeconds(3599)
  await use(grant.accessToken)
  passSeconds(1)
  await expect(use(grant.accessToken)).rejects.toEqual(tokenInvalid)
})

test('each grant issues a new pair, each login a session of its own', async () => {
  const { login, refresh, use } = await openGrantServer()

  const grants = [await login(), await login()]
  for (const { refreshToken } of [...grants]) grants.push(await refresh(refreshToken))

  const tokens = grants.flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken])
  expect(new Set(tokens).size).toBe(8)
  const sessions = await Promise.all(grants.map(async ({ accessToken }) => (await use(accessToken)).id))
  expect(sessions).toEqual([sessions[0], sessions[1], sessions[0], sessions[1]])
  expect(sessions[0]).not.toBe(sessions[1])
})

test('only hashes of tokens, secrets and passwords are kept', async () => {
  const { login, refresh, store, app, anna } = await openGrantServer()
  const first = await login()
  const second = await refresh(first.refreshToken)

  const { registry } = store
  const kept = JSON.stringify([
    await registry.listUsers(),
    await registry.listApps(),
    await registry.listSessions(anna.id),
  ])

  expect(kept).toContain(app.clientId)
  for (const grant of [first, second]) {
    expect(kept).not.toContain(grant.accessToken)
    expect(kept).not.toContain(grant.refreshToken)
  }
  expect(kept).not.toContain(app.clientSecret)
  expect(kept).not.toContain('correct horse')
})

test('a wrong app, a wrong user and a wrong password are rejected, the last two alike', async () => {
  const { login, refresh } = await openGrantServer()
  const clientInvalid = new ApiError('clientInvalid')
  const passwordInvalid = new ApiError('passwordInvalid')
  const { refreshToken } = await login()

  await expect(login({ clientId: 'nobody' })).rejects.toEqual(clientInvalid)
  await expect(login({ clientSecret: 'wrong' })).rejects.toEqual(clientInvalid)
  await expect(login({ clientSecret: '' })).rejects.toEqual(new ApiError('clientMissing'))
  await expect(refresh(refreshToken, { clientSecret: 'wrong' })).rejects.toEqual(clientInvalid)
  await expect(login({ username: 'nobody' })).rejects.toEqual(passwordInvalid)
  await expect(login({ password: 'correct hors' })).rejects.toEqual(passwordInvalid)
  await expect(login({ password: '' })).rejects.toEqual(passwordInvalid)
  await expect(refresh('unknown')).rejects.toEqual(refreshTokenInvalid)
})

test('a password that is changed while it is checked opens nothing', async () => {
  const { login, store, anna } = await openGrantServer()

  const loggingIn = login()
  await store.registry.change((registry) => registry.put('users', { ...anna, passwordHash: 'another' }))

  await expect(loggingIn).rejects.toEqual(new ApiError('passwordInvalid'))
  expect(await store.registry.listSessions(anna.id)).toEqual([])
})

test('a refresh with a lost response can be retried, and every response works', async () => {
  const { login, refresh, use } = await openGrantServer()
  const first = await login()

  await refresh(first.refreshToken)
  await refresh(first.refreshToken)
  const third = await refresh(first.refreshToken)

  await use(first.accessToken)
  await use(third.accessToken)
  await use((await refresh(third.refreshToken)).accessToken)
})

test('after the first use of the new pair, the old refresh token ends the whole session', async () => {
  const { login, refresh, use } = await openGrantServer()
  const other = await login()
  const first = await login()
  const second = await refresh(first.refreshToken)
  await use(second.accessToken)

  await expect(refresh(first.refreshToken)).rejects.toEqual(refreshTokenInvalid)

  await expect(use(first.accessToken)).rejects.toEqual(tokenInvalid)
  await expect(use(second.accessToken)).rejects.toEqual(tokenInvalid)
  await expect(refresh(second.refreshToken)).rejects.toEqual(refreshTokenInvalid)
  await use(other.accessToken)
})

test('a refresh with the new refresh token is a use of the new pair', async () => {
  const { login, refresh, use } = await openGrantServer()
  const first = await login()
  const second = await refresh(first.refreshToken)
  const third = await refresh(second.refreshToken)

  await expect(refresh(first.refreshToken)).rejects.toEqual(refreshTokenInvalid)

  await expect(use(third.accessToken)).rejects.toEqual(tokenInvalid)
})

test('a token of a lost response, presented after its retry was used, ends the session', async () => {
  const { login, refresh, use } = await openGrantServer()
  const first = await login()
  const lost = await refresh(first.refreshToken)
  const repeated = await refresh(first.refreshToken)
  await use(repeated.accessToken)

  await expect(refresh(lost.refreshToken)).rejects.toEqual(refreshTokenInvalid)

  await expect(use(repeated.accessToken)).rejects.toEqual(tokenInvalid)
})

test('access tokens of replaced pairs stay valid until they expire', async () => {
  const { login, refresh, use, passSeconds } = await openGrantServer()
  const first = await login()
  passSeconds(1800)
  const second = await refresh(first.refreshToken)
  await use(second.accessToken)

  await use(first.accessToken)
  passSeconds(1800)

  await expect(use(first.accessToken)).rejects.toEqual(tokenInvalid)
  await use(second.accessToken)
})

test('of repeated refreshes the newest five work', async () => {
  const { login, refresh, use } = await openGrantServer()
  const first = await login()

  const [oldest, ...newest] = [first, first, first, first, first, first].map(({ refreshToken }) => refreshToken)
  const dropped = await refresh(oldest ?? '')
  const kept = []
  for (const refreshToken of newest) kept.push(await refresh(refreshToken))

  await expect(use(dropped.accessToken)).rejects.toEqual(tokenInvalid)
  for (const { accessToken } of kept) await use(accessToken)
})

test('refresh tokens expire 90 days after their last use', async () => {
  const { login, refresh, passSeconds } = await openGrantServer()
  const first = await login()

  passSeconds(90 * days - 1)
  await refresh(first.refreshToken)
  passSeconds(90 * days - 1)
  const second = await refresh(first.refreshToken)
  passSeconds(90 * days)

  await expect(refresh(first.refreshToken)).rejects.toEqual(refreshTokenInvalid)
  await expect(refresh(second.refreshToken)).rejects.toEqual(refreshTokenInvalid)
})

test('a session that cannot continue is dropped at the next login', async () => {
  const { login, store, anna, passSeconds } = await openGrantServer()
  await login()
  passSeconds(90 * days)

  await login()

  expect(await store.registry.listSessions(anna.id)).toHaveLength(1)
})

test('of 200 sessions, the least recently used is replaced by a new one', async () => {
  const { login, refresh, use, store, anna, environment, app, passSeconds } = await openGrantServer()
  const kept = await login()
  passSeconds(1)
  const idle = await login()
  passSeconds(1)
  await store.registry.change(async (registry) => {
    for (let index = 0; index < maxSessions - 2; index++) {
      const { pair } = issuePair('current', environment)
      await registry.put('sessions', {
        id: `s${index}`,
        userId: anna.id,
        clientId: app.clientId,
        createdAt: 0,
        pairs: [pair],
      })
    }
  })
  const renewed = await refresh(kept.refreshToken)

  const newest = await login()

  expect(await store.registry.listSessions(anna.id)).toHaveLength(maxSessions)
  await expect(use(idle.accessToken)).rejects.toEqual(tokenInvalid)
  for (const { accessToken } of [renewed, newest]) await use(accessToken)
})

test('after 100 refreshes an old refresh token still ends the session, which stays small', async () => {
  const { login, refresh, use, store, anna } = await openGrantServer()
  const first = await login()
  let grant = first
  const spent: string[] = []
  for (let time = 0; time < 150; time++) {
    spent.push(grant.refreshToken)
    grant = await refresh(grant.refreshToken)
  }

  const [session] = await store.registry.listSessions(anna.id)
  expect(session?.pairs.length).toBeLessThanOrEqual(102)
  await expect(refresh(spent.at(-100) ?? '')).rejects.toEqual(refreshTokenInvalid)
  await expect(use(grant.accessToken)).rejects.toEqual(tokenInvalid)
})

test('a refresh token of another app is rejected without effect', async () => {
  const { login, refresh, use, store, environment } = await openGrantServer()
  const other = await addApp(store, 'another app', environment)
  const first = await login()
  const second = await refresh(first.refreshToken)
  await use(second.accessToken)

  for (const { refreshToken } of [first, second]) {
    await expect(refresh(refreshToken, other)).rejects.toEqual(refreshTokenInvalid)
  }

  await use(second.accessToken)
  await refresh(second.refreshToken)
})

test('changing the password ends all sessions, and only the new password opens another', async () => {
  const { login, refresh, use, store } = await openGrantServer()
  const grants = [await login(), await login()]

  await resetPassword(store, { name: 'anna', password: 'battery staple' })

  for (const { accessToken, refreshToken } of grants) {
    await expect(use(accessToken)).rejects.toEqual(tokenInvalid)
    await expect(refresh(refreshToken)).rejects.toEqual(refreshTokenInvalid)
  }
  await expect(login()).rejects.toEqual(new ApiError('passwordInvalid'))
  await use((await login({ password: 'battery staple' })).accessToken)
})
