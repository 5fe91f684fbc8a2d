import { expect, test } from 'vitest'
import { openGrantTrial } from '../../test/support/grants.ts'
import { isAdmin, listAdmins } from './admins.ts'
import { findBrowserSession, signIn } from './browser-sessions.ts'
import { disableUser, enableUser } from './disable-user.ts'
import { addPersonalToken } from './personal-tokens.ts'
import { addUser } from './users.ts'

const password = 'battery staple'
const tokenInvalid = { kind: 'tokenInvalid' }
const passwordInvalid = { kind: 'passwordInvalid' }

const openTrial = async () => {
  const trial = await openGrantTrial()
  const { store, world } = trial
  const bob = await addUser(store, { name: 'bob', password }, world)
  const enter = () =>
    signIn(store, { username: 'bob', password, origin: { address: '192.0.2.1' } }, world, (_, verify) => verify())
  return { ...trial, bob, enter, loginBob: () => trial.login({ username: 'bob', password }) }
}

test('a disabled user cannot get in, and no token works; enabling gives all tokens back', async () => {
  const { store, world, bob, loginBob, enter, use, refresh } = await openTrial()
  const grant = await loginBob()
  const pending = await refresh((await loginBob()).requestToken)
  const personal = await addPersonalToken(store, { userId: bob.id, name: 'script', isReadOnly: false }, world)
  const { cookie } = await enter()

  await disableUser(store, 'bob', world)

  for (const token of [grant.accessToken, pending.accessToken, personal.token])
    await expect(use(token)).rejects.toMatchObject(tokenInvalid)
  await expect(refresh(grant.requestToken)).rejects.toMatchObject({ kind: 'requestTokenInvalid' })
  await expect(loginBob()).rejects.toMatchObject(passwordInvalid)
  await expect(enter()).rejects.toMatchObject(passwordInvalid)
  await expect(addPersonalToken(store, { userId: bob.id, name: 'x', isReadOnly: true }, world)).rejects.toThrow(
    'disabled',
  )
  expect(await findBrowserSession(store, cookie, world)).toBeUndefined()

  await enableUser(store, 'bob')

  for (const token of [grant.accessToken, pending.accessToken, personal.token]) await use(token)
  await refresh(grant.requestToken)
  await loginBob()
  expect(await findBrowserSession(store, cookie, world)).toBeUndefined()
  expect(await store.registry.findUser(bob.id)).toEqual(bob)
})

test('a user who is disabled while the password is checked does not get in', async () => {
  const { store, world, enter } = await openTrial()
  const form = { username: 'bob', password, origin: { address: '192.0.2.1' } }

  const entering = signIn(store, form, world, async (_, verify) => {
    const isRight = await verify()
    await disableUser(store, 'bob', world)
    return isRight
  })

  await expect(entering).rejects.toMatchObject(passwordInvalid)
  await expect(enter()).rejects.toMatchObject(passwordInvalid)
})

test('the only admin cannot be disabled, and nobody who is not there', async () => {
  const { store, world, bob } = await openTrial()

  await expect(disableUser(store, 'anna', world)).rejects.toThrow(
    'user "anna" is the only admin and cannot be disabled; make another one first with "user promote NAME"',
  )
  await expect(disableUser(store, 'nobody', world)).rejects.toThrow('there is no user "nobody"')
  await expect(enableUser(store, 'nobody')).rejects.toThrow('there is no user "nobody"')
  await store.registry.change((registry) => registry.put('users', { ...bob, isAdmin: true }))
  await disableUser(store, 'anna', world)
  await expect(disableUser(store, 'bob', world)).rejects.toThrow('is the only admin')
})

test('the first user is admin; where nobody is marked, the earliest is', async () => {
  const { store, anna, bob } = await openTrial()
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
