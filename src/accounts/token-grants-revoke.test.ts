import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { ApiError } from '../api-error.ts'
import { addApp } from './apps.ts'
import { revokeToken } from './token-grants.ts'

test.each(['accessToken', 'refreshToken'] as const)('revoking an %s ends its session and no other', async (which) => {
  const { login, refresh, use, store, app } = await openGrantServer()
  const other = await login()
  const grant = await login()

  await revokeToken(store, { ...app, token: grant[which] })

  await expect(use(grant.accessToken)).rejects.toEqual(new ApiError('tokenInvalid'))
  await expect(refresh(grant.refreshToken)).rejects.toEqual(new ApiError('refreshTokenInvalid'))
  await use(other.accessToken)
})

test('revoking an unknown token, or one of another app, changes nothing and is no error', async () => {
  const { login, use, store, environment, app } = await openGrantServer()
  const other = await addApp(store, 'another app', environment)
  const { accessToken, refreshToken } = await login()

  await revokeToken(store, { ...app, token: 'unknown' })
  await revokeToken(store, { ...other, token: accessToken })
  await revokeToken(store, { ...other, token: refreshToken })

  await use(accessToken)
})

test('only a registered app may revoke', async () => {
  const { login, use, store, app } = await openGrantServer()
  const { accessToken } = await login()

  const failure = revokeToken(store, { ...app, clientSecret: 'wrong', token: accessToken })

  await expect(failure).rejects.toEqual(new ApiError('clientInvalid'))
  await use(accessToken)
})
