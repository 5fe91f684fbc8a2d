import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { findBrowserSession, signIn } from './session-management.ts'
import { addPersonalToken } from './token-grants.ts'
import { addUser, disableUser, enableUser, isAdmin, listAdmins } from './users.ts'

const password = 'battery staple'
const tokenInvalid = { kind: 'tokenInvalid' }
const passwordInvalid = { kind: 'passwordInvalid' }

const openFixture = async () => {
  const fixture = await openGrantServer()
  const { store, environment } = fixture
  const bob = await addUser(store, { name: 'bob', password }, environment)
  const enter = () =>
    signIn(store, { username: 'bob', password, origin: { address: '192.0.2.1' } }, environment, (_, verify) => verify())
  return { ...fixture, bob, enter, loginBob: () => fixture.login({ username: 'bob', password }) }
}

test('a disabled user cannot sign in, and no token works; enabling resumes all tokens', async () => {
  const { store, environment, bob, loginBob, enter, use, refresh } = await openFixture()
  const grant = await loginBob()
  const pending = await refresh((await loginBob()).refreshToken)
  const personal = await addPersonalToken(store, { userId: bob.id, name: 'script', isReadOnly: false }, environment)
  const { cookie } = await enter()

  await disableUser(store, 'bob', environment)

  for (const token of [grant.accessToken, pending.accessToken, personal.token])
    await expect(use(token)).rejects.toMatchObject(tokenInvalid)
  await expect(refresh(grant.refreshToken)).rejects.toMatchObject({ kind: 'refreshTokenInvalid' })
  await expect(loginBob()).rejects.toMatchObject(passwordInvalid)
  await expect(enter()).rejects.toMatchObject(passwordInvalid)
  await expect(addPersonalToken(store, { userId: bob.id, name: 'x', isReadOnly: true }, environment)).rejects.toThrow(
    'disabled',
  )
  expect(await findBrowserSession(store, cookie, environment)).toBeUndefined()

  await enableUser(store, 'bob')

  for (const token of [grant.accessToken, pending.accessToken, personal.token]) await use(token)
  await refresh(grant.refreshToken)
  await loginBob()
  expect(await findBrowserSession(store, cookie, environment)).toBeUndefined()
  expect(await store.registry.findUser(bob.id)).toEqual(bob)
})

test('a user who is disabled during the check of the password is not signed in', async () => {
  const { store, environment, enter } = await openFixture()
  const form = { username: 'bob', password, origin: { address: '192.0.2.1' } }

  const entering = signIn(store, form, environment, async (_, verify) => {
    const isRight = await verify()
    await disableUser(store, 'bob', environment)
    return isRight
  })

  await expect(entering).rejects.toMatchObject(passwordInvalid)
  await expect(enter()).rejects.toMatchObject(passwordInvalid)
})

test('neither the only admin nor an unknown user can be disabled', async () => {
  const { store, environment, bob } = await openFixture()

  await expect(disableUser(store, 'anna', environment)).rejects.toThrow(
    'user "anna" is the only administrator and cannot be disabled; promote another user first with "user promote NAME"',
  )
  await expect(disableUser(store, 'nobody', environment)).rejects.toThrow('there is no user "nobody"')
  await expect(enableUser(store, 'nobody')).rejects.toThrow('there is no user "nobody"')
  await store.registry.change((registry) => registry.put('users', { ...bob, isAdmin: true }))
  await disableUser(store, 'anna', environment)
  await expect(disableUser(store, 'bob', environment)).rejects.toThrow('is the only administrator')
})

test('the first user is admin; where nobody is marked, the earliest is', async () => {
  const { store, anna, bob } = await openFixture()
  const { registry } = store
  expect([await isAdmin(registry, anna), await isAdmin(registry, bob)]).toEqual([true, false])

  const { isAdmin: _, ...unmarked } = anna
  await registry.change(async (draft) => {
    await draft.delete('users', anna.id)
    await draft.put('users', { ...unmarked, id: 'earlier', name: 'anna', createdAt: bob.createdAt - 1 })
  })

  expect((await listAdmins(registry)).map(({ id }) => id)).toEqual(['earlier'])
  expect(await isAdmin(registry, bob)).toBe(false)
})
