import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { addApp, addPublicClient, hasConsented } from './apps.ts'
import { grantByCode, issueCode } from './authorization-codes.ts'
import { hashSecret } from './sessions.ts'

const verifier = 'v'.repeat(43)

test('consent is remembered while a session of a code exists, for https and confidential clients', async () => {
  const { store, environment, anna, login, passSeconds } = await openGrantServer()
  const uris = ['https://app.example/back', 'http://127.0.0.1/back', 'com.example.app:/back'] as const
  const web = await addApp(store, 'web', environment, { redirectUris: uris })
  const other = await addApp(store, 'other', environment, { redirectUris: uris })
  const phone = await addPublicClient(store, 'phone', environment, { redirectUris: uris })
  const has = async (clientId: string, redirectUri: string = uris[0]) => {
    const app = await store.registry.findApp(clientId)
    if (app === undefined) throw new Error('no app')
    return hasConsented(store.registry, { userId: anna.id, app, redirectUri }, environment)
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
    const code = await issueCode(store, request, environment)
    return grantByCode(store, { ...client, code, verifier }, environment)
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
