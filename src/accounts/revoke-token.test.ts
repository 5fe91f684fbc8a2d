import { expect, test } from 'vitest'
import { openGrantTrial } from '../../test/support/grants.ts'
import { Refused } from '../refused.ts'
import { addApp } from './apps.ts'
import { revokeToken } from './revoke-token.ts'

test.each(['accessToken', 'requestToken'] as const)('revoking an %s ends its session and no other', async (which) => {
  const { login, refresh, use, store, app } = await openGrantTrial()
  const other = await login()
  const grant = await login()

  await revokeToken(store, { ...app, token: grant[which] })

  await expect(use(grant.accessToken)).rejects.toEqual(new Refused('tokenInvalid'))
  await expect(refresh(grant.requestToken)).rejects.toEqual(new Refused('requestTokenInvalid'))
  await use(other.accessToken)
})

test('revoking an unknown token, or one of another app, changes nothing and is fine', async () => {
  const { login, use, store, world, app } = await openGrantTrial()
  const other = await addApp(store, 'another app', world)
  const { accessToken, requestToken } = await login()

  await revokeToken(store, { ...app, token: 'unknown' })
  await revokeToken(store, { ...other, token: accessToken })
  await revokeToken(store, { ...other, token: requestToken })

  await use(accessToken)
})

test('only a registered app may revoke', async () => {
  const { login, use, store, app } = await openGrantTrial()
  const { accessToken } = await login()

  const refused = revokeToken(store, { ...app, clientSecret: 'wrong', token: accessToken })

  await expect(refused).rejects.toEqual(new Refused('clientInvalid'))
  await use(accessToken)
})
