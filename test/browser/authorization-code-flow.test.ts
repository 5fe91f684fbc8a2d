import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { addApp, addPublicClient } from '../../src/accounts/apps.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openFileServer } from '../support/open-test-server.ts'
import { openApp } from './open-app.ts'
import { openBrowser, openPage } from './open-page.ts'
import { signIn } from './sign-in.ts'

const server = await openFileServer()
const site = server.baseUrl.replace(/\/v1\/$/, '')
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** An app without a secret, the URL at which it sends users to the server, and a user of its own. */
const begin = async (state = 's1') => {
  const app = await openApp()
  const { clientId } = await addPublicClient(server.store, 'Pocket notes', systemEnvironment, {
    redirectUris: [app.back],
  })
  const user = `user ${systemEnvironment.newId()}`
  await server.addUser(user)
  const requested = { response_type: 'code', client_id: clientId, redirect_uri: app.back, state }
  const query = new URLSearchParams({ ...requested, code_challenge: challenge, code_challenge_method: 'S256' })
  return { app, clientId, user, address: `${site}/authorize?${query}` }
}

/** A large window in the light, and a small one in the dark without scripts: the same has to work in both. */
const windows = [
  { name: 'in a large window', width: 1280, scheme: 'light', script: true },
  { name: 'on a phone, in the dark, without JavaScript', width: 360, scheme: 'dark', script: false },
] as const

test.each(windows)('from the app to the sign-in, the consent, and back to a sync, $name', async (window) => {
  const { app, clientId, user, address } = await begin()
  const page = await openPage(window)

  await page.goto(address)
  await signIn(page, user)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${app.back}?**`)

  expect(app.calls).toEqual([{ code: expect.any(String), state: 's1', iss: site }])
  const form = { grant_type: 'authorization_code', client_id: clientId, code_verifier: verifier }
  const pair = await server.post('/token', {
    form: { ...form, code: String(app.calls[0]?.code), redirect_uri: app.back },
  })
  const synced = await server.post('/sync', { token: String(pair.body.access_token), json: { from: 0 } })
  expect([pair.status, synced.status]).toEqual([200, 200])
})

// A field of a form would come back with other line ends, and without its NUL.
const strangeState = 'a state of & = # \n and \r and \u0000'

test.each(windows)('Deny tells the app that the user denied access, $name', async (window) => {
  const { app, user, address } = await begin(strangeState)
  const page = await openPage(window)

  await page.goto(address)
  await signIn(page, user)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(`${app.back}?**`)

  expect(app.calls).toEqual([
    { error: 'access_denied', error_description: 'The user denied access', state: strangeState, iss: site },
  ])
})

test.each(windows)('a wrong password is an error, and the right one goes on to the app, $name', async (window) => {
  const { app, user, address } = await begin()
  const page = await openPage(window)

  await page.goto(address)
  await signIn(page, user, 'wrong horse')
  await page.getByRole('alert').waitFor()
  const [name, password] = [page.getByLabel('User name'), page.getByLabel('Password', { exact: true })]
  const kept = [await name.inputValue(), await password.inputValue()]
  await signIn(page, user)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${app.back}?**`)

  expect(kept).toEqual([user, ''])
  expect(app.calls.length).toBe(1)
})

test('the whole way goes by keyboard alone', async () => {
  const { app, user, address } = await begin()
  const page = await openPage()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  await page.goto(address)
  // The focus is in the name at first.
  await page.keyboard.type(user)
  await press('Tab')
  await page.keyboard.type('correct horse')
  await press('Enter')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await press('Tab', 'Tab', 'Tab', 'Enter')
  await page.waitForURL(`${app.back}?**`)

  expect(app.calls).toEqual([{ code: expect.any(String), state: 's1', iss: site }])
})

test('double clicks on Sign in and on Allow let the app in', async () => {
  const { app, clientId, user, address } = await begin()
  const page = await openPage()

  await page.goto(address)
  await page.getByLabel('User name').fill(user)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign in' }).dblclick()
  await page.getByRole('button', { name: 'Allow' }).dblclick()
  await page.waitForURL(`${app.back}?**`)

  // Of two codes the browser brings the one whose response it waited for.
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', client_id: clientId, code_verifier: verifier, code }
  expect((await server.post('/token', { form: { ...form, redirect_uri: app.back } })).status).toBe(200)
})

test('Back from the app leads to no consent that works twice with the same code', async () => {
  const { app, user, address } = await begin()
  const page = await openPage()
  await page.goto(address)
  await signIn(page, user)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${app.back}?**`)

  await page.goBack()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${app.back}?**`)

  expect(new Set(app.calls.map(({ code }) => code)).size).toBe(2)
})

test('two apps in two tabs each get what was requested in their tab', async () => {
  const [one, other] = [await begin('one'), await begin('other')]
  const context = await openBrowser()
  const [first, second] = [await context.newPage(), await context.newPage()]

  await first.goto(one.address)
  await second.goto(other.address)
  await signIn(first, one.user)
  // The second tab still shows the previous sign-in.
  await signIn(second, one.user)
  await first.getByRole('button', { name: 'Deny' }).click()
  await first.waitForURL(`${one.app.back}?**`)
  await second.getByRole('button', { name: 'Allow' }).click()
  await second.waitForURL(`${other.app.back}?**`)

  expect(one.app.calls).toEqual([expect.objectContaining({ error: 'access_denied', state: 'one' })])
  expect(other.app.calls).toEqual([expect.objectContaining({ code: expect.any(String), state: 'other' })])
})

test('a user who signed out in another tab signs in again, and then goes on to the app', async () => {
  const { app, user, address } = await begin()
  const context = await openBrowser()
  const [asking, other] = [await context.newPage(), await context.newPage()]
  await asking.goto(address)
  await signIn(asking, user)
  await asking.getByRole('button', { name: 'Allow' }).waitFor()

  await other.goto(`${site}/account`)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByRole('heading', { level: 1 }).waitFor()
  await asking.getByRole('button', { name: 'Allow' }).click()
  await asking.getByRole('heading', { level: 1 }).waitFor()

  expect(app.calls).toEqual([])
  await asking.goto(address)
  await signIn(asking, user)
  await asking.getByRole('button', { name: 'Allow' }).click()
  await asking.waitForURL(`${app.back}?**`)
  expect(app.calls.length).toBe(1)
})

test('an app with a wrong redirect URI leads to an error page, and nothing is sent to the app', async () => {
  const app = await openApp()
  const { clientId } = await addApp(server.store, 'A reader', systemEnvironment, {
    redirectUris: ['https://reader.example/'],
  })
  const page = await openPage({ width: 360 })

  const query = new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: app.back })
  const response = await page.goto(`${site}/authorize?${query}`)

  expect(response?.status()).toBe(400)
  expect(await page.locator('main').innerText()).toContain('redirect_uri')
  expect(app.calls).toEqual([])
})

test('another site can neither frame a page nor send its forms', async () => {
  const { user } = await begin()
  const context = await openBrowser()
  const page = await context.newPage()
  await page.goto(`${site}/sign-in`)
  await signIn(page, user)
  await page.getByText(`Signed in as ${user}.`).waitFor()
  const app = await openApp()

  await page.goto(app.back.replace('127.0.0.1', 'localhost'))
  await page.evaluate((action) => {
    const form = document.body.appendChild(document.createElement('form'))
    form.method = 'post'
    form.action = action
    form.submit()
  }, `${site}/sign-out`)
  await page.waitForURL(`${site}/sign-out`)

  await page.goto(`${site}/account`)
  expect(await page.getByText(/^Signed in as /).innerText()).toBe(`Signed in as ${user}.`)
})
