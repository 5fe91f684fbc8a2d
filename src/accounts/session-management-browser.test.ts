import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { endBrowserSession, findBrowserSession, signIn } from './session-management.ts'
import { changePassword, removeUser, resetPassword } from './users.ts'

const origin = { address: '192.0.2.1', userAgent: 'a browser' }

const verified = (_: unknown, verify: () => Promise<boolean>) => verify()

const openFixture = async () => {
  const fixture = await openGrantServer()
  const { store, environment } = fixture
  return {
    ...fixture,
    enter: (given = {}) =>
      signIn(store, { username: 'anna', password: 'correct horse', origin, ...given }, environment, (_, verify) =>
        verify(),
      ),
    find: (cookie: string) => findBrowserSession(store, cookie, environment),
    change: (oldPassword: string, newPassword: string) =>
      changePassword(store, { userId: fixture.anna.id, oldPassword, newPassword }, verified, async () => undefined),
  }
}

test('a sign-in has a cookie of its own, of which only the hash is kept', async () => {
  const { store, anna, enter, find } = await openFixture()

  const [first, second] = [await enter(), await enter()]

  expect(first.cookie).not.toBe(second.cookie)
  expect(first.user).toEqual(anna)
  const session = {
    hash: expect.any(String),
    userId: anna.id,
    createdAt: 1_700_000_000,
    lastUsedAt: 1_700_000_000,
    origin,
  }
  expect(await find(first.cookie)).toEqual({ session, user: anna })
  expect(JSON.stringify(await store.registry.listBrowserSessions(anna.id))).not.toContain(first.cookie)
})

test('a sign-in ends the previous session of the browser, whatever its origin', async () => {
  const { store, enter, find, anna } = await openFixture()
  const before = await enter()

  const after = await enter({ replaces: before.cookie })
  await enter({ replaces: 'made up' })

  expect(await find(before.cookie)).toBeUndefined()
  expect(await find('made up')).toBeUndefined()
  expect(await find(after.cookie)).toBeDefined()
  expect(await store.registry.listBrowserSessions(anna.id)).toHaveLength(2)
})

test('a browser session ends 30 days after its last use, which is written once an hour', async () => {
  const { store, enter, find, passSeconds, anna } = await openFixture()
  const { cookie } = await enter()
  const lastUse = async () => (await store.registry.listBrowserSessions(anna.id))[0]?.lastUsedAt

  passSeconds(3599)
  await find(cookie)
  expect(await lastUse()).toBe(1_700_000_000)
  passSeconds(1)
  await find(cookie)
  expect(await lastUse()).toBe(1_700_003_600)
  passSeconds(30 * 24 * 3600 - 1)
  expect(await find(cookie)).toBeDefined()
  passSeconds(30 * 24 * 3600)
  expect(await find(cookie)).toBeUndefined()
  await enter()
  expect(await store.registry.listBrowserSessions(anna.id)).toHaveLength(1)
})

test('a sign-out ends this browser session and no other', async () => {
  const { store, enter, find } = await openFixture()
  const [first, second] = [await enter(), await enter()]

  await endBrowserSession(store, first.cookie)
  await endBrowserSession(store, 'made up')

  expect(await find(first.cookie)).toBeUndefined()
  expect(await find(second.cookie)).toBeDefined()
})

test('a wrong password, and one that changes while it is checked, open nothing', async () => {
  const { store, environment, enter, anna } = await openFixture()

  await expect(enter({ password: 'wrong' })).rejects.toMatchObject({ kind: 'passwordInvalid' })
  await expect(enter({ username: 'nobody' })).rejects.toMatchObject({ kind: 'passwordInvalid' })
  const form = { username: 'anna', password: 'correct horse', origin }
  const changing = signIn(store, form, environment, async (_, verify) => {
    const isRight = await verify()
    await resetPassword(store, { name: 'anna', password: 'battery staple' })
    return isRight
  })
  await expect(changing).rejects.toMatchObject({ kind: 'passwordInvalid' })

  expect(await store.registry.listBrowserSessions(anna.id)).toEqual([])
})

test('a new password ends all sessions, and needs the old one', async () => {
  const { enter, find, login, use, change } = await openFixture()
  const [signedIn, grant] = [await enter(), await login()]

  await expect(change('wrong', 'battery staple')).rejects.toMatchObject({ kind: 'passwordInvalid' })
  await expect(change('correct horse', 'short')).rejects.toThrow('at least 8 characters')
  expect(await find(signedIn.cookie)).toBeDefined()
  await change('correct horse', 'battery staple')

  expect(await find(signedIn.cookie)).toBeUndefined()
  await expect(use(grant.accessToken)).rejects.toMatchObject({ kind: 'tokenInvalid' })
  await expect(enter()).rejects.toMatchObject({ kind: 'passwordInvalid' })
  await enter({ password: 'battery staple' })
})

test('a removed user is signed in nowhere', async () => {
  const { store, enter, find, anna } = await openFixture()
  const { cookie } = await enter()

  await removeUser(store, 'anna')

  expect(await find(cookie)).toBeUndefined()
  expect(await store.registry.listBrowserSessions(anna.id)).toEqual([])
})

test('a user has at most 50 browser sessions; the least recently used one ends', async () => {
  const { store, enter, find, passSeconds, anna } = await openFixture()
  const first = await enter()
  const second = await enter()
  passSeconds(3600)
  await find(first.cookie)
  await store.registry.change(async (registry) => {
    for (let n = 0; n < 48; n++) {
      await registry.put('browserSessions', {
        hash: `${n}`,
        userId: anna.id,
        createdAt: 0,
        lastUsedAt: 1_700_003_600,
        origin,
      })
    }
  })

  await enter()

  expect(await store.registry.listBrowserSessions(anna.id)).toHaveLength(50)
  expect(await find(first.cookie)).toBeDefined()
  expect(await find(second.cookie)).toBeUndefined()
})

test('repeated sign-ins replace their own sessions, and no session of another address', async () => {
  const { store, enter, find, passSeconds, anna } = await openFixture()
  const at = (address: string) => ({ origin: { address } })
  const owners = await enter(at('192.0.2.1'))
  passSeconds(1)
  const flooded = []

  for (let n = 0; n < 60; n += 1) flooded.push(await enter(at(`2001:db8::${n.toString(16)}`)))

  expect(await store.registry.listBrowserSessions(anna.id)).toHaveLength(50)
  expect(await find(owners.cookie)).toBeDefined()
  expect(await find(flooded[10]?.cookie ?? '')).toBeUndefined()
  expect(await find(flooded[59]?.cookie ?? '')).toBeDefined()
})

test('a new address replaces the least recently used session of the busiest address', async () => {
  const { store, enter, find, passSeconds, anna } = await openFixture()
  const enterAt = async (address: string) => {
    passSeconds(1)
    return enter({ origin: { address } })
  }
  const alone = await enterAt('192.0.2.1')
  const many = []
  for (let n = 0; n < 49; n += 1) many.push(await enterAt('192.0.2.2'))

  const newcomer = await enterAt('192.0.2.3')

  expect(await store.registry.listBrowserSessions(anna.id)).toHaveLength(50)
  const isThere = async ({ cookie }: { cookie: string }) => (await find(cookie)) !== undefined
  expect(await Promise.all([alone, newcomer, ...many].map(isThere))).toEqual([
    true,
    true,
    false,
    ...Array(48).fill(true),
  ])
})
