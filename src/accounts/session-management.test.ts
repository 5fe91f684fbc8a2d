import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { endOtherSessions, endSession, listSessions, signIn } from './session-management.ts'
import { describeOrigin, hashSecret } from './sessions.ts'
import { addPersonalToken, grantByPassword, grantByRefresh } from './token-grants.ts'
import { addUser } from './users.ts'

const home = describeOrigin('::ffff:192.0.2.1', 'phone/1')
const away = describeOrigin('198.51.100.7', undefined)

test('all sessions of a user are listed with their origins, the last used first', async () => {
  const { store, environment, app, anna, passSeconds } = await openGrantServer()
  const form = { ...app, username: 'anna', password: 'correct horse' }
  const verified = (_: unknown, verify: () => Promise<boolean>) => verify()
  const granted = await grantByPassword(store, form, environment, verified, home)
  passSeconds(1)
  await signIn(store, { ...form, origin: away }, environment, verified)
  passSeconds(1)
  await addPersonalToken(
    store,
    { userId: anna.id, name: 'script', isReadOnly: true, expiresInSeconds: 86_400 },
    environment,
  )
  passSeconds(1)
  await grantByRefresh(store, { ...app, refreshToken: granted.refreshToken }, environment, away)

  const listed = await listSessions(store, anna.id, environment)

  const days = 24 * 3600
  expect(home).toEqual({ address: '192.0.2.1', userAgent: 'phone/1' })
  expect(listed).toEqual([
    {
      id: expect.any(String),
      kind: 'app',
      name: 'an app',
      clientId: app.clientId,
      began: 'password',
      createdAt: 1_700_000_000,
      lastUsedAt: 1_700_000_003,
      expiresAt: 1_700_000_003 + 90 * days,
      origin: { address: '198.51.100.7' },
    },
    {
      id: expect.any(String),
      kind: 'token',
      name: 'script',
      isReadOnly: true,
      createdAt: 1_700_000_002,
      expiresAt: 1_700_000_002 + days,
    },
    {
      id: expect.any(String),
      kind: 'browser',
      createdAt: 1_700_000_001,
      lastUsedAt: 1_700_000_001,
      expiresAt: 1_700_000_001 + 30 * days,
      origin: { address: '198.51.100.7' },
    },
  ])
  passSeconds(31 * days)
  expect((await listSessions(store, anna.id, environment)).map(({ kind }) => kind)).toEqual(['app'])
  passSeconds(60 * days)
  expect(await listSessions(store, anna.id, environment)).toEqual([])
})

test('a user can end each own session, and none of another user', async () => {
  const { store, environment, app, anna, login } = await openGrantServer()
  const bob = await addUser(store, { name: 'bob', password: 'battery staple' }, environment)
  await login()
  const form = { ...app, username: 'anna', password: 'correct horse', origin: home }
  await signIn(store, form, environment, (_, verify) => verify())
  await addPersonalToken(store, { userId: anna.id, name: 'script', isReadOnly: true }, environment)
  const ids = (await listSessions(store, anna.id, environment)).map(({ id }) => id)

  expect(ids).toHaveLength(3)
  for (const id of ids) expect(await endSession(store, bob.id, id)).toBe(false)
  expect(await endSession(store, anna.id, 'made up')).toBe(false)
  expect(await listSessions(store, anna.id, environment)).toHaveLength(3)
  for (const id of ids) expect(await endSession(store, anna.id, id)).toBe(true)

  expect(await listSessions(store, anna.id, environment)).toEqual([])
})

test('of two browsers that end all others at the same moment, the first one stays', async () => {
  const { store, environment, app, anna, login } = await openGrantServer()
  await login()
  const form = { ...app, username: 'anna', password: 'correct horse', origin: home }
  const enter = () => signIn(store, form, environment, (_, verify) => verify())
  const [first, second] = [hashSecret((await enter()).cookie), hashSecret((await enter()).cookie)]

  const ended = await Promise.all([first, second].map((id) => endOtherSessions(store, anna.id, id)))

  expect(ended).toEqual([true, false])
  expect((await listSessions(store, anna.id, environment)).map(({ id }) => id)).toEqual([first])
})

test('a User-Agent is shortened and cannot contain a line break', () => {
  const { userAgent } = describeOrigin('192.0.2.1', `a\nb\u202ec\u0000${'x'.repeat(1000)}`)

  expect(userAgent).toBe(`a?b?c?${'x'.repeat(194)}`)
  expect(describeOrigin('no address', ' \t')).toEqual({ address: 'unknown', userAgent: '?' })
})
