import { expect, test } from 'vitest'
import { openGrantServer } from '../../test/support/grants.ts'
import { addApp, addPublicClient, changeApp, checkClient, listApps, rotateAppSecret } from './apps.ts'
import { AccountError } from './names.ts'

const back = { redirectUris: ['https://app.example/back'] }

test('the store keeps the redirect URIs and owner of an app, and only the hash of its secret', async () => {
  const { store, environment, anna } = await openGrantServer()

  const app = await addApp(store, 'web', environment, { ...back, isStandard: true, ownerId: anna.id })

  const kept = (await listApps(store)).find(({ clientId }) => clientId === app.clientId)
  expect(kept).toEqual({
    clientId: app.clientId,
    name: 'web',
    createdAt: 1_700_000_000,
    ...back,
    isStandard: true,
    ownerId: anna.id,
    secretHash: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(JSON.stringify(kept)).not.toContain(app.clientSecret)
})

test('a public client authenticates by its id alone, and a confidential client never does', async () => {
  const { store, environment, app } = await openGrantServer()
  const { clientId } = await addPublicClient(store, 'phone', environment, back)

  expect(await checkClient(store.registry, { clientId })).toMatchObject({ name: 'phone' })
  expect(await checkClient(store.registry, { clientId, clientSecret: '' })).toMatchObject({ name: 'phone' })
  for (const [credentials, kind] of [
    [{ clientId, clientSecret: 'secret' }, 'clientInvalid'],
    [{ clientId, clientSecret: app.clientSecret }, 'clientInvalid'],
    [{ clientId: app.clientId }, 'clientMissing'],
    [{ clientId: app.clientId, clientSecret: '' }, 'clientMissing'],
    [{ clientId: 'nobody' }, 'clientMissing'],
    [{ clientId: 'nobody', clientSecret: app.clientSecret }, 'clientInvalid'],
  ] as const)
    await expect(checkClient(store.registry, credentials)).rejects.toMatchObject({ kind })
})

test('a public client may not use the password grant', async () => {
  const { store, environment, login } = await openGrantServer()
  const { clientId } = await addPublicClient(store, 'phone', environment, back)

  await expect(login({ clientId, clientSecret: '' })).rejects.toMatchObject({ kind: 'appIsPublic' })
})

test('a new secret replaces the old one at once, and sessions go on with it', async () => {
  const { store, environment, app, login, refresh, use } = await openGrantServer()
  const grant = await login()

  const rotated = await rotateAppSecret(store, app.clientId, environment)

  expect(rotated).toEqual({ clientId: app.clientId, name: 'an app', clientSecret: expect.any(String) })
  await expect(refresh(grant.refreshToken)).rejects.toMatchObject({ kind: 'clientInvalid' })
  await use(grant.accessToken)
  await refresh(grant.refreshToken, rotated)
})

test('each field of an app can be changed alone', async () => {
  const { store, environment } = await openGrantServer()
  const { clientId } = await addPublicClient(store, 'phone', environment, back)

  await changeApp(store, clientId, { name: 'new phone' })
  await changeApp(store, clientId, { isStandard: true, redirectUris: ['com.example.app:/back'] })

  expect(await store.registry.findApp(clientId)).toEqual({
    clientId,
    name: 'new phone',
    createdAt: 1_700_000_000,
    redirectUris: ['com.example.app:/back'],
    isStandard: true,
  })
})

test('an invalid app is rejected with a sentence that says what to do', async () => {
  const { store, environment, app } = await openGrantServer()
  const { clientId } = await addPublicClient(store, 'phone', environment, back)
  const before = await listApps(store)
  const evil = { redirectUris: ['http://app.example'] }

  for (const [failure, sentence] of [
    [() => addApp(store, 'web', environment, evil), 'uses http'],
    [() => addPublicClient(store, 'web', environment, evil), 'uses http'],
    [() => addPublicClient(store, 'web', environment, {}), 'a public client needs a redirect URI'],
    [() => changeApp(store, clientId, evil), 'uses http'],
    [() => changeApp(store, clientId, { redirectUris: [] }), 'a public client needs a redirect URI'],
    [() => changeApp(store, app.clientId, { name: '' }), 'the name of the app must have'],
    [() => changeApp(store, 'nobody', {}), 'there is no app with the client ID "nobody"'],
    [() => rotateAppSecret(store, clientId, environment), 'is a public client and has no secret'],
    [() => rotateAppSecret(store, 'nobody', environment), 'there is no app'],
  ] as const) {
    const outcome = failure()
    await expect(outcome).rejects.toThrow(AccountError)
    await expect(outcome).rejects.toThrow(sentence)
  }
  expect(await listApps(store)).toEqual(before)
})

test.each([
  ' ',
  '\u200b',
  '\u202eevil\u202c',
  '\u2066x',
  'my\u00adapp',
  'x\ufeffy',
  '\u3164',
  '\u2800',
  '\u{e0041}x',
  '\u0301',
])('an app is not named %j, which is not visible as it is', async (name) => {
  const { store, environment } = await openGrantServer()
  const { clientId } = await addApp(store, ' good ', environment)
  const app = await store.registry.findApp(clientId)

  await expect(addApp(store, name, environment)).rejects.toThrow(/visible/)
  await expect(changeApp(store, clientId, { name })).rejects.toThrow(/visible/)

  expect(app?.name).toBe('good')
  expect(await store.registry.findApp(clientId)).toEqual(app)
})
