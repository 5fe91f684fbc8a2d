import { expect, test } from 'vitest'
import { beginSignIn, createClient, createMemoryTokenStorage } from '../../../client/src/index.ts'
import { extensionAppId, extensionRedirectUris, listApps } from '../../../src/accounts/apps.ts'
import { createHandler } from '../../../src/http/handler.ts'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import { signInBrowser } from '../../support/test-browser.ts'

const server = await openFileServer({ settings: { extension: true } })

test.each(extensionRedirectUris)(
  'the extension signs in by %s, and the user is asked each time',
  async (redirectUri) => {
    const { name } = await server.addNewUser()
    const browser = await signInBrowser(server, name)
    const client = createClient({
      baseUrl: server.baseUrl,
      clientId: extensionAppId,
      tokens: createMemoryTokenStorage(),
    })
    const begun = await beginSignIn({ baseUrl: server.baseUrl, clientId: extensionAppId, redirectUri })
    const path = begun.address.slice(server.baseUrl.length - 'v1/'.length - 1)

    const page = await browser.open(path)
    const allowed = await browser.send(page, '/authorize', { decision: 'allow' })
    await client.finishSignIn(begun, allowed.location)
    const again = await browser.open(path)

    expect(page.html).toContain('thingsync browser extension')
    expect(page.html).toContain(`an extension of your browser (${new URL(redirectUri).host})`)
    expect(allowed.location.startsWith(`${redirectUri}?code=`)).toBe(true)
    expect((await client.api.GET('/user/get')).data?.username).toBe(name)
    expect([again.status, again.html.includes('Allow thingsync browser extension?')]).toEqual([200, true])
  },
)

test('a redirect URI of another extension is rejected on the page, and nothing is sent there', async () => {
  const browser = await signInBrowser(server, 'anna')
  const redirectUri = `https://${'a'.repeat(32)}.chromiumapp.org/`
  const { address } = await beginSignIn({ baseUrl: server.baseUrl, clientId: extensionAppId, redirectUri })

  const page = await browser.open(address.slice(server.baseUrl.length - 'v1/'.length - 1))

  expect([page.status, page.location]).toEqual([400, ''])
})

test('the extension is registered once, beside the web app, and not where it is switched off', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const listIds = async () => (await listApps(store)).map(({ clientId }) => clientId)

  await createHandler({ store, extension: false })
  const without = await listIds()
  await createHandler({ store, extension: true, web: false })
  const alone = await listIds()
  const { createdAt } = (await listApps(store))[0] ?? {}
  await createHandler({ store, extension: true })
  const again = await listApps(store)

  expect([without, alone]).toEqual([[], ['thingsync-extension']])
  expect(again.map((app) => [app.clientId, app.createdAt])).toEqual([['thingsync-extension', createdAt]])
})
