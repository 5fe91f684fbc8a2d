import type { BrowserContext } from 'playwright-core'
import { addApp, addPublicClient } from '../../src/accounts/apps.ts'
import { createLink } from '../../src/accounts/links.ts'
import { addPersonalToken } from '../../src/accounts/token-grants.ts'
import { systemEnvironment } from '../../src/environment.ts'
import type { TestServer } from '../support/open-test-server.ts'
import { pushKeys } from '../support/push-keys.ts'
import { signInBrowser } from '../support/test-browser.ts'

/** A page of a furnished server. */
export interface FurnishedPage {
  /** As in the name of its picture. */
  readonly name: string
  readonly path: string
  /** Whether it is looked at by `anna`, the admin, who is signed in. */
  readonly isSignedIn: boolean
}

/** Where apps of tests send browsers back to. */
export const back = 'https://reader.example/back'

// As Chromium says it, so that pages name it so.
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

/** Gives a browser the sign-in of a user with the usual password, so that only tests of that sign in by hand. */
export const signInContext = async (context: BrowserContext, server: TestServer, user = 'anna'): Promise<void> => {
  const { cookies } = await signInBrowser(server, user, { 'user-agent': userAgent })
  // Of the whole server; the URL of the API would keep them below its path.
  const url = new URL('/', server.baseUrl).href
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url, httpOnly: true })))
}

/** Fills a server, so that no page is empty, and gives all of its pages. */
export const furnish = async (server: TestServer): Promise<readonly FurnishedPage[]> => {
  const { store } = server
  const environment = systemEnvironment
  const anna = await store.registry.findUserByName('anna')
  if (anna === undefined) throw new Error('there is no anna')
  await server.addUser('bert')
  const bert = await store.registry.findUserByName('bert')
  const reader = await addApp(store, 'Quiet reader', environment, { redirectUris: [back], ownerId: anna.id })
  await addPublicClient(store, 'Pocket notes', environment, { redirectUris: ['com.example.notes:/back'] })
  await addPersonalToken(
    store,
    { userId: anna.id, name: 'Nightly copy', isReadOnly: true, expiresInSeconds: 7_776_000 },
    environment,
  )
  const device = await server.openDevice('anna')
  await device.sync({ from: 0, new_thing: [{ local_id: '1', title: 'Buy milk', tags: 'todo' }] })
  await device.post('/webhook/register', { form: { target_url: 'https://reader.example/hook', event: 'any' } })
  await device.post('/register/device', {
    form: { type: 'webpush', id: 'phone', endpoint: 'https://push.example/1', ...pushKeys },
  })
  const links = {
    first: (await createLink(store, { kind: 'first-sign-in', userId: anna.id }, environment)).secret,
    password: (await createLink(store, { kind: 'set-password', userId: String(bert?.id) }, environment)).secret,
    invitation: (await createLink(store, { kind: 'invitation' }, environment)).secret,
  }
  const requested = new URLSearchParams({
    response_type: 'code',
    client_id: reader.clientId,
    redirect_uri: back,
    state: 's',
  })
  const open = {
    start: '/',
    docs: '/docs',
    'docs-code': '/docs/code/addThing',
    'docs-try': '/docs/try/addThing',
    'docs-errors': '/docs/errors',
    'docs-schemas': '/docs/schemas',
    'sign-in': '/sign-in',
    'sign-in-for-an-app': `/authorize?${requested}`,
    'wrong-app': '/authorize?response_type=code&client_id=nobody',
    'link-first-sign-in': `/link?key=${links.first}`,
    'link-password': `/link?key=${links.password}`,
    'link-invitation': `/link?key=${links.invitation}`,
    'link-dead': '/link?key=gone',
    register: '/register',
    nothing: '/nothing-is-here',
  }
  const own = {
    consent: `/authorize?${requested}`,
    account: '/account',
    sessions: '/account/sessions',
    apps: '/account/apps',
    'new-app': '/account/apps/new',
    app: `/account/apps/${reader.clientId}`,
    tokens: '/account/tokens',
    'token-iphone': '/account/tokens/iphone',
    'token-android': '/account/tokens/android',
    delivery: '/account/delivery',
    password: '/account/password',
    admin: '/admin',
    users: '/admin/users',
    user: `/admin/users/${bert?.id}`,
    'change-user': `/admin/users/${bert?.id}/change`,
    'remove-user': `/admin/users/${bert?.id}/remove`,
    'all-apps': '/admin/apps',
    limits: '/admin/limits',
    store: '/admin/store',
  }
  const list = (pages: Record<string, string>, isSignedIn: boolean) =>
    Object.entries(pages).map(([name, path]) => ({ name, path, isSignedIn }))
  return [...list(open, false), ...list(own, true)]
}
