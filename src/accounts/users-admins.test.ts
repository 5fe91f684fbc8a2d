import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { addUser, demoteUser, disableUser, isAdmin, listAdmins, promoteUser } from './users.ts'

const openFixture = async () => {
  const fixture = await openGrantServer()
  const { store, environment } = fixture
  await addUser(store, { name: 'bob', password: 'correct horse' }, environment)
  const admins = async () => (await listAdmins(store.registry)).map(({ name }) => name).sort()
  return { ...fixture, admins }
}

test('a user is made admin and again a user like others, but never the only admin', async () => {
  const { store, admins } = await openFixture()

  await expect(demoteUser(store, 'anna')).rejects.toThrow('user "anna" is the only administrator and cannot be demoted')
  await promoteUser(store, 'BOB')
  expect(await admins()).toEqual(['anna', 'bob'])
  await demoteUser(store, 'anna')
  await demoteUser(store, 'anna')
  expect(await admins()).toEqual(['bob'])
  await expect(promoteUser(store, 'nobody')).rejects.toThrow('there is no user "nobody"')
})

test('a disabled user cannot become admin, and does not count as a remaining one', async () => {
  const { store, environment, admins } = await openFixture()
  await disableUser(store, 'bob', environment)

  await expect(promoteUser(store, 'bob')).rejects.toThrow('user "bob" is disabled; enable the user first')
  expect(await admins()).toEqual(['anna'])
})

test('where nobody is marked, the admin stays one beside the new one', async () => {
  const { store, anna, admins } = await openFixture()
  const { isAdmin: _, ...unmarked } = anna
  await store.registry.change((registry) => registry.put('users', { ...unmarked, createdAt: 1 }))

  await promoteUser(store, 'bob')

  expect(await admins()).toEqual(['anna', 'bob'])
})

test('when an admin is marked, the store is queried once, and never for all users', async () => {
  const { store, anna } = await openFixture()
  const bob = (await store.registry.findUserByName('bob')) ?? expect.unreachable()
  let lists = 0
  const registry = {
    listMarkedAdmins: () => {
      lists += 1
      return store.registry.listMarkedAdmins()
    },
    listUsers: () => expect.unreachable(),
  }

  const responses = []
  for (let page = 0; page < 3; page += 1) responses.push(await isAdmin(registry, bob), await isAdmin(registry, anna))

  expect(responses).toEqual([false, true, false, true, false, true])
  expect(lists).toBe(1)
})
