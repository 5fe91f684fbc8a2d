import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { ApiError } from '../api-error.ts'
import { type Store, StoreError } from '../store/store.ts'
import { findSession } from './sessions.ts'

const countChanges = (store: Store) => {
  const counted = { changes: 0 }
  const registry: Store['registry'] = {
    ...store.registry,
    change: (work) => {
      counted.changes++
      return store.registry.change(work)
    },
  }
  return { counted, store: { ...store, registry } }
}

test('an unknown token, a refresh token and an empty one open no session', async () => {
  const { login, use } = await openGrantServer()
  const { refreshToken } = await login()

  for (const token of ['unknown', refreshToken, '']) {
    await expect(use(token)).rejects.toEqual(new ApiError('tokenInvalid'))
  }
})

test('only the first use of a refreshed pair writes to the registry', async () => {
  const fixture = await openGrantServer()
  const { counted, store } = countChanges(fixture.store)
  const first = await fixture.login()
  const use = (token: string) => findSession(store, token, fixture.environment)

  await use(first.accessToken)
  await use(first.accessToken)
  expect(counted.changes).toBe(0)

  const second = await fixture.refresh(first.refreshToken)
  await use(second.accessToken)
  await use(second.accessToken)
  await use(first.accessToken)
  expect(counted.changes).toBe(1)
})

test('first uses at the same time all find the session', async () => {
  const { login, refresh, use } = await openGrantServer()
  const first = await login()
  const second = await refresh(first.refreshToken)

  const sessions = await Promise.all([1, 2, 3].map(() => use(second.accessToken)))

  expect(new Set(sessions.map(({ id }) => id)).size).toBe(1)
  expect(sessions[0]?.pairs.map(({ state }) => state)).toEqual(['retired', 'current'])
})

test('of two responses to repeated refreshes that are first used at once, one stays current', async () => {
  const { login, refresh, use, store, anna } = await openGrantServer()
  const first = await login()
  const second = await refresh(first.refreshToken)
  const third = await refresh(first.refreshToken)

  await Promise.all([use(second.accessToken), use(third.accessToken)])

  const [session] = await store.registry.listSessions(anna.id)
  expect(session?.pairs.map(({ state }) => state)).toEqual(['retired', 'current', 'retired'])
})

test('a failed store is not reported as a wrong token', async () => {
  const { store, environment } = await openGrantServer()
  const findSessionByAccessHash = () => Promise.reject(new StoreError('disk gone'))
  const failing = { ...store, registry: { ...store.registry, findSessionByAccessHash } }

  await expect(findSession(failing, 'token', environment)).rejects.toEqual(new StoreError('disk gone'))
})
