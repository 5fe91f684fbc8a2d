import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { ApiError } from '../api-error.ts'
import { addApp, listApps, removeApp } from './apps.ts'
import { AccountError } from './names.ts'
import { hashPassword } from './passwords.ts'
import { addUser, listUsers, removeUser, resetPassword } from './users.ts'

const password = 'correct horse'

test('a user name can be taken once, and the error says what to do', async () => {
  const { store, environment } = await openGrantServer()

  const failure = addUser(store, { name: 'anna', password }, environment)

  await expect(failure).rejects.toEqual(
    new AccountError('user "anna" exists already; choose another name or use "user reset-password anna"'),
  )
  expect((await listUsers(store)).map(({ name, createdAt }) => [name, createdAt])).toEqual([['anna', 1_700_000_000]])
})

test('names that look the same are one: trimmed, in any case and any Unicode spelling', async () => {
  const { store, environment, login } = await openGrantServer()
  const jose = await addUser(store, { name: '  Jose\u0301 ', password }, environment)

  expect(jose.name).toBe('Jos\u00e9')
  for (const [name, taken] of [
    ['ANNA', 'anna'],
    [' anna  ', 'anna'],
    ['\uff41nna', 'anna'],
    ['JOS\u00c9', 'Jos\u00e9'],
  ]) {
    await expect(addUser(store, { name: name ?? '', password }, environment)).rejects.toThrow(
      `user "${taken}" exists already`,
    )
  }
  for (const username of ['Anna', ' anna ', 'ANNA', '\uff41nna']) await login({ username, password })
  await login({ username: 'jose\u0301', password })
  await resetPassword(store, { name: 'ANNA', password: 'battery staple' })
  await login({ username: 'anna', password: 'battery staple' })
  await expect(addUser(store, { name: ' \t ', password }, environment)).rejects.toThrow(AccountError)
})

test('users whose names differ only in case are found by the exact name only', async () => {
  const { store, environment, anna, login, use } = await openGrantServer()
  const passwordHash = await hashPassword('another horse')
  const alike = { id: 'alike', name: 'Anna', passwordHash, createdAt: 1 }
  await store.registry.change((registry) => registry.put('users', alike))
  const signIn = async (username: string, given: string) =>
    (await use((await login({ username, password: given })).accessToken)).userId

  expect(await signIn('anna', password)).toBe(anna.id)
  expect(await signIn(' Anna ', 'another horse')).toBe('alike')
  for (const given of [password, 'another horse']) {
    await expect(login({ username: 'ANNA', password: given })).rejects.toEqual(new ApiError('passwordInvalid'))
  }
  await expect(removeUser(store, 'ANNA')).rejects.toThrow('there is no user "ANNA"')
  await expect(addUser(store, { name: 'aNNa', password }, environment)).rejects.toThrow('exists already')

  await removeUser(store, 'Anna')
  expect(await signIn('ANNA', password)).toBe(anna.id)
})

test('names have 1 to 200 characters and no control characters', async () => {
  const { store, environment } = await openGrantServer()

  for (const name of ['', 'x'.repeat(201), 'x'.repeat(1_000_000), 'a\nb', 'a\u0000', 'a\u0085', '\ud800']) {
    await expect(addUser(store, { name, password }, environment)).rejects.toThrow(AccountError)
    await expect(addApp(store, name, environment)).rejects.toThrow(AccountError)
  }

  for (const name of ['\u{1f467}'.repeat(200), '../../etc', '__proto__', 'Jos\u00e9 da Silva']) {
    expect((await addUser(store, { name, password }, environment)).name).toBe(name)
  }
})

test('a password has at least 8 characters', async () => {
  const { store, environment } = await openGrantServer()
  const sentence = new AccountError('the password must have at least 8 characters')

  await expect(addUser(store, { name: 'berta', password: '1234567' }, environment)).rejects.toEqual(sentence)
  await expect(resetPassword(store, { name: 'anna', password: '1234567' })).rejects.toEqual(sentence)
  await expect(resetPassword(store, { name: 'nobody', password })).rejects.toEqual(
    new AccountError('there is no user "nobody"; "user list" shows all users'),
  )
})

test('a removed user is gone with sessions and data, and the name is free again', async () => {
  const { store, environment, anna, login, use } = await openGrantServer()
  const { accessToken } = await login()
  const thing = { id: 'id1', title: 'T', tags: '', date: 0, archived: false, todoStatus: false }
  await store.write(anna.id, 'session', (draft) => draft.putThing(thing))

  await removeUser(store, 'anna')

  await expect(use(accessToken)).rejects.toThrow()
  await expect(login()).rejects.toThrow()
  await expect(removeUser(store, 'anna')).rejects.toThrow(AccountError)
  expect(await listUsers(store)).toEqual([])
  expect((await store.read(anna.id)).position).toBe(0)
  expect((await addUser(store, { name: 'anna', password }, environment)).id).not.toBe(anna.id)
})

test('the only admin cannot be removed while another user exists', async () => {
  const { store, environment, anna } = await openGrantServer()
  const bob = await addUser(store, { name: 'bob', password }, environment)
  const sentence =
    'user "anna" is the only administrator and cannot be removed; promote another user first with "user promote NAME"'

  await expect(removeUser(store, 'anna')).rejects.toEqual(new AccountError(sentence))
  await store.registry.change((registry) => registry.put('users', { ...bob, isAdmin: true, disabledAt: 1 }))
  await expect(removeUser(store, 'anna')).rejects.toEqual(new AccountError(sentence))
  expect((await listUsers(store)).map(({ id }) => id).sort()).toEqual([anna.id, bob.id].sort())
  await store.registry.change((registry) => registry.put('users', { ...bob, isAdmin: true }))
  await removeUser(store, 'anna')

  expect((await listUsers(store)).map(({ name }) => name)).toEqual(['bob'])
})

test('an app gets a secret of 32 random bytes once; a removed app ends its sessions and no other', async () => {
  const { store, environment, app, login, use } = await openGrantServer()
  const other = await addApp(store, 'an app', environment)
  const [mine, others] = [await login(), await login(other)]

  await removeApp(store, app.clientId)

  expect(Buffer.from(other.clientSecret, 'base64url')).toHaveLength(32)
  expect((await listApps(store)).map(({ clientId, name }) => [clientId, name])).toEqual([[other.clientId, 'an app']])
  await expect(use(mine.accessToken)).rejects.toThrow()
  await use(others.accessToken)
  await expect(removeApp(store, app.clientId)).rejects.toEqual(
    new AccountError(`there is no app with the client ID "${app.clientId}"; "app list" shows all apps`),
  )
})

test('names keep the joiners of their scripts, and no two differ only in invisible characters', async () => {
  const { store, environment } = await openGrantServer()
  const add = (name: string) => addUser(store, { name, password: 'correct horse' }, environment)

  expect((await add('می\u200cخواهم')).name).toBe('می\u200cخواهم')
  expect((await add('❤\ufe0f')).name).toBe('❤\ufe0f')

  await expect(add('میخواهم')).rejects.toThrow('exists already')
  await expect(add('❤')).rejects.toThrow('exists already')
  await expect(add('ann\u200da')).rejects.toThrow('character 4 is U+200D')
})

test('the apps of a removed user go unless others use them; these keep the sessions of the others', async () => {
  const { store, environment, anna, login } = await openGrantServer()
  const bob = await addUser(store, { name: 'bob', password }, environment)
  const [unused, used] = [
    await addApp(store, 'Of bob alone', environment, { ownerId: bob.id }),
    await addApp(store, 'Of bob for all', environment, { ownerId: bob.id }),
  ]
  const others = await addApp(store, 'Of anna', environment, { ownerId: anna.id })
  for (const app of [unused, used, others]) await login({ username: 'bob', ...app })
  await login(used)

  await removeUser(store, 'bob')

  const left = (await listApps(store)).map(({ clientId }) => clientId)
  expect([unused, used, others].map(({ clientId }) => left.includes(clientId))).toEqual([false, true, true])
  expect((await store.registry.listSessions(anna.id)).map(({ clientId }) => clientId)).toEqual([used.clientId])
  expect(await store.registry.findApp(used.clientId)).toMatchObject({ name: 'Of bob for all', ownerId: bob.id })
})
