import { expect, test } from 'vitest'
import { openGrantTrial } from '../../test/support/grants.ts'
import { addApp, addPublicApp } from './apps.ts'
import { grantByCode, issueCode } from './codes.ts'
import { hasConsented } from './consent.ts'
import { hashSecret } from './hash.ts'

const verifier = 'v'.repeat(43)

test('consent is remembered while a session lives that a code began, for https and an app with a secret', async () => {
  const { store, world, anna, login, passSeconds } = await openGrantTrial()
  const uris = ['https://app.example/back', 'http://127.0.0.1/back', 'com.example.app:/back'] as const
  const web = await addApp(store, 'web', world, { redirectUris: uris })
  const other = await addApp(store, 'other', world, { redirectUris: uris })
  const phone = await addPublicApp(store, 'phone', world, { redirectUris: uris })
  const has = async (clientId: string, redirectUri: string = uris[0]) => {
    const app = await store.registry.findApp(clientId)
    if (app === undefined) throw new Error('no app')
    return hasConsented(store.registry, { userId: anna.id, app, redirectUri }, world)
  }
  const allow = async (client: { clientId: string; clientSecret?: string }) => {
    const { clientId } = client
    const request = {
      clientId,
      userId: anna.id,
      redirectUri: uris[0],
      isRedirectNamed: false,
      appName: clientId === phone.clientId ? 'phone' : 'web',
      challenge: hashSecret(verifier),
    }
    const code = await issueCode(store, request, world)
    return grantByCode(store, { ...client, code, verifier }, world)
  }

  await login(web)
  expect(await has(web.clientId)).toBe(false)
  await allow(web)
  await allow({ clientId: phone.clientId })

  expect(await has(web.clientId)).toBe(true)
  expect(await Promise.all(uris.slice(1).map((uri) => has(web.clientId, uri)))).toEqual([false, false])
  expect([await has(other.clientId), await has(phone.clientId)]).toEqual([false, false])
  passSeconds(90 * 24 * 3600)
  expect(await has(web.clientId)).toBe(false)
})
