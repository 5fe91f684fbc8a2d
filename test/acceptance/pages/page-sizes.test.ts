import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { nobodysPasswordHash } from '../../../src/accounts/passwords.ts'
import { addPersonalToken } from '../../../src/accounts/token-grants.ts'
import { systemEnvironment as environment } from '../../../src/environment.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import { createTestBrowser, signInBrowser } from '../../support/test-browser.ts'

const server = await openFileServer()
const { store } = server
const anna = await store.registry.findUserByName('anna')
const ownerId = anna?.id ?? ''
const maxBytes = 20 * 1024

/** What compresses badly, as much of it as fits on a page. */
await store.registry.change(async (registry) => {
  if (anna !== undefined) await registry.put('users', { ...anna, isAdmin: true })
  for (let count = 0; count < 100; count++) {
    const id = environment.newId()
    await registry.put('users', {
      id,
      name: `user ${id}`,
      passwordHash: nobodysPasswordHash,
      createdAt: 1_700_000_000 + count,
    })
  }
})
for (let count = 0; count < 20; count++) {
  await addApp(store, `App ${environment.newId()}`, environment, {
    ownerId,
    redirectUris: [`https://app.example/back/${environment.newId()}`],
  })
  await addPersonalToken(
    store,
    { userId: ownerId, name: `token ${environment.newId()}`, isReadOnly: false },
    environment,
  )
}
const anybody = createTestBrowser(server)
const signedIn = await signInBrowser(server, 'anna')

test.each([
  '/sign-in',
  '/register',
  '/link?key=none',
  '/nowhere',
  '/account',
  '/account/sessions',
  '/account/password',
  '/account/apps',
  '/account/apps/new',
  '/account/tokens',
  '/account/delivery',
  '/admin',
  '/admin/users',
  `/admin/users/${ownerId}`,
  '/admin/apps',
  '/admin/limits',
  '/admin/store',
])('%s takes one response of at most 20 KB, style included', async (path) => {
  const browser = /^\/(account|admin)/.test(path) ? signedIn : anybody
  for (const encoding of ['br', 'gzip']) {
    const { headers, html } = await browser.open(path, { headers: { 'accept-encoding': encoding } })

    expect([path, headers.get('content-encoding')]).toEqual([path, encoding])
    expect(Number(headers.get('content-length'))).toBeLessThanOrEqual(maxBytes)
    // Nothing has to be fetched beside it. The sign-in works without its script.
    expect(html.replace('<script type="module" src="/show-password.js"></script>', '')).not.toMatch(
      /<link rel="stylesheet|<script|<img|url\(/,
    )
  }
})
