import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { acceptInvitation, createLink, findLink, linkSeconds, setPasswordByLink, signInByLink } from './links.ts'
import { findBrowserSession } from './session-management.ts'
import { addUser, disableUser, listUsers, removeUser } from './users.ts'

const context = { origin: { address: '192.0.2.1' } }
const invalid = { kind: 'linkInvalid', status: 404 }

const openFixture = async () => {
  const fixture = await openGrantServer()
  const { store, environment, anna } = fixture
  return {
    ...fixture,
    make: async (kind: 'first-sign-in' | 'set-password') =>
      (await createLink(store, { kind, userId: anna.id }, environment)).secret,
    invite: async (name?: string) =>
      (await createLink(store, { kind: 'invitation', ...(name === undefined ? {} : { name }) }, environment)).secret,
    look: (secret: string) => findLink(store.registry, secret, environment),
    enter: (secret: string, password?: string) => signInByLink(store, { ...context, secret, password }, environment),
    setPassword: (secret: string, password = 'battery staple') =>
      setPasswordByLink(store, { ...context, secret, password }, environment),
    accept: (secret: string, name = 'bob', password = 'battery staple') =>
      acceptInvitation(store, { ...context, secret, name, password }, environment),
    isIn: async (cookie: string) => (await findBrowserSession(store, cookie, environment))?.user.name,
  }
}

test('a link to sign in works once, however often it was opened, and only its hash is kept', async () => {
  const { store, anna, make, look, enter, isIn } = await openFixture()
  const secret = await make('first-sign-in')

  expect(JSON.stringify(await store.registry.listLinks(anna.id))).not.toContain(secret)
  for (let n = 0; n < 2; n++)
    expect(await look(secret)).toMatchObject({ link: { kind: 'first-sign-in' }, user: { name: 'anna' } })
  const { cookie } = await enter(secret)

  expect(await isIn(cookie)).toBe('anna')
  await expect(enter(secret)).rejects.toMatchObject(invalid)
  await expect(look(secret)).rejects.toMatchObject(invalid)
  await expect(look('made up')).rejects.toMatchObject(invalid)
})

test('a link to sign in can set a password, which ends all sessions; a too short one leaves it valid', async () => {
  const { make, enter, isIn, login, use } = await openFixture()
  const grant = await login()
  const secret = await make('first-sign-in')

  await expect(enter(secret, 'short')).rejects.toThrow('at least 8 characters')
  const { cookie } = await enter(secret, 'battery staple')

  expect(await isIn(cookie)).toBe('anna')
  await expect(use(grant.accessToken)).rejects.toMatchObject({ kind: 'tokenInvalid' })
  await login({ password: 'battery staple' })
  await expect(enter(secret)).rejects.toMatchObject(invalid)
})

test('a link to sign in without a password changes no password and ends no session', async () => {
  const { make, enter, login, use } = await openFixture()
  const grant = await login()

  await enter(await make('first-sign-in'))

  await use(grant.accessToken)
  await login()
})

test('of two uses at once, one signs in', async () => {
  const { make, enter } = await openFixture()
  const secret = await make('first-sign-in')

  const uses = await Promise.allSettled([enter(secret), enter(secret)])

  expect(uses.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('a link to set the password ends all sessions; a too short password leaves it valid', async () => {
  const { make, setPassword, isIn, login, use } = await openFixture()
  const grant = await login()
  const secret = await make('set-password')

  await expect(setPassword(secret, 'short')).rejects.toThrow('at least 8 characters')
  const { cookie } = await setPassword(secret)

  expect(await isIn(cookie)).toBe('anna')
  await expect(use(grant.accessToken)).rejects.toMatchObject({ kind: 'tokenInvalid' })
  await login({ password: 'battery staple' })
  await expect(setPassword(secret)).rejects.toMatchObject(invalid)
})

test('an invitation creates one user, with the name of the invitation if it has one', async () => {
  const { store, invite, accept, isIn } = await openFixture()
  const [open, named] = [await invite(), await invite('carla')]

  await expect(accept(open, 'Anna')).rejects.toThrow('user "anna" exists already; choose another name')
  const bob = await accept(open)
  const carla = await accept(named, 'eve')

  expect([await isIn(bob.cookie), await isIn(carla.cookie)]).toEqual(['bob', 'carla'])
  await expect(accept(open, 'dora')).rejects.toMatchObject(invalid)
  expect((await listUsers(store)).map(({ name, isAdmin = false }) => [name, isAdmin])).toEqual([
    ['anna', true],
    ['bob', false],
    ['carla', false],
  ])
})

test('a link works only for its kind', async () => {
  const { make, invite, enter, setPassword, accept } = await openFixture()
  const [first, reset, invitation] = [await make('first-sign-in'), await make('set-password'), await invite()]

  for (const attempt of [
    () => enter(reset),
    () => enter(invitation),
    () => setPassword(first),
    () => setPassword(invitation),
    () => accept(first),
    () => accept(reset),
  ])
    await expect(attempt()).rejects.toMatchObject(invalid)
})

test.each(['first-sign-in', 'set-password'] as const)('a link expires in its time: %s', async (kind) => {
  const { store, anna, make, look, passSeconds } = await openFixture()
  const secret = await make(kind)

  passSeconds(linkSeconds[kind] - 1)
  await look(secret)
  passSeconds(1)
  await expect(look(secret)).rejects.toMatchObject(invalid)
  await make(kind === 'set-password' ? 'first-sign-in' : 'set-password')
  expect(await store.registry.listLinks(anna.id)).toHaveLength(1)
})

test('a new link replaces the previous one, and a link of a disabled user is invalid', async () => {
  const { store, environment, make, look } = await openFixture()
  await addUser(store, { name: 'bob', password: 'battery staple' }, environment)
  await store.registry.change(async (registry) => {
    const bob = await registry.findUserByName('bob')
    if (bob !== undefined) await registry.put('users', { ...bob, isAdmin: true })
  })

  const [older, newer] = [await make('set-password'), await make('set-password')]
  await expect(look(older)).rejects.toMatchObject(invalid)
  await look(newer)
  await disableUser(store, 'anna', environment)
  await expect(look(newer)).rejects.toMatchObject(invalid)
})

test('a new invitation of a name replaces the previous one, and none restores a removed user', async () => {
  const { store, invite, accept, look } = await openFixture()
  const [older, newer, open] = [await invite('Bob'), await invite('bob'), await invite()]

  await expect(look(older)).rejects.toMatchObject(invalid)
  await accept(newer)
  const kept = await invite('BOB')
  await removeUser(store, 'bob')

  await expect(accept(kept)).rejects.toMatchObject(invalid)
  expect(await look(open)).toMatchObject({ link: { kind: 'invitation' } })
})
