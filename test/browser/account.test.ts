import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { systemEnvironment } from '../../src/environment.ts'
import { openFileServer } from '../support/open-test-server.ts'
import { signInContext } from './furnish.ts'
import { openBrowser, openPage } from './open-page.ts'
import { signIn } from './sign-in.ts'

const server = await openFileServer()
const site = server.baseUrl.replace(/\/v1\/$/, '')

const newUser = async () => {
  const user = `user ${systemEnvironment.newId()}`
  await server.addUser(user)
  return user
}

/** A browser in which a new user is signed in, at a page of the account. */
const openAccount = async (path: string, window: Parameters<typeof openBrowser>[0] = {}) => {
  const user = await newUser()
  const context = await openBrowser(window)
  await signInContext(context, server, user)
  const page = await context.newPage()
  await page.goto(`${site}${path}`)
  return { user, context, page }
}

const noteOf = (page: Page) => page.locator('.note.good').innerText()

test('a token is created once by a double click, works, is shown for a while only, and is revoked', async () => {
  const { page } = await openAccount('/account/tokens')

  await page.getByLabel('Name').fill('A script')
  await page.getByRole('button', { name: 'Create the token' }).dblclick()
  await page.getByRole('heading', { name: 'Your new token' }).waitFor()
  const token = await page.locator('.copy textarea').first().inputValue()
  expect(await page.getByRole('button', { name: 'Revoke A script' }).count()).toBe(1)
  expect((await server.get('/test', { token })).status).toBe(200)

  await page.goto(`${site}/account/tokens`)
  expect(await page.getByText(token).count()).toBe(0)
  await page.getByRole('button', { name: 'Revoke A script' }).click()

  expect(await noteOf(page)).toContain('revoked')
  expect((await server.get('/test', { token })).status).toBe(401)
})

test('a button copies a new token, and says so', async () => {
  const { context, page } = await openAccount('/account/tokens')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByLabel('Name').fill('A script')
  await page.getByRole('button', { name: 'Create the token' }).click()

  await page.getByRole('button', { name: 'Copy The token' }).click()
  await page.getByRole('status').getByText('Copied').waitFor()

  const token = await page.getByLabel('The token', { exact: true }).inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
})

test('Back after creating a token, and creating another, creates another one, not the same again', async () => {
  const { page } = await openAccount('/account/tokens')
  const create = async (name: string) => {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create the token' }).click()
    await page.getByRole('heading', { name: 'Your new token' }).waitFor()
    return page.locator('.copy textarea').first().inputValue()
  }

  const first = await create('One')
  await page.goBack()
  const second = await create('Other')

  expect(first).not.toBe(second)
  expect(await page.getByRole('button', { name: /^Revoke/ }).count()).toBe(2)
})

test('an app is registered, corrected, given a new secret and removed', async () => {
  const { user, page } = await openAccount('/account/apps/new', { width: 360, scheme: 'dark' })
  const grant = async (client_secret: string) => {
    const client_id = await page.getByText(/^Client ID|client_id/i).count()
    expect(client_id).toBeGreaterThan(0)
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const form = { grant_type: 'password', client_id: id, client_secret, username: user, password: 'correct horse' }
    return (await server.post('/token', { form })).status
  }
  const readSecret = async () => /SECRET=(\S+)/.exec(await page.getByLabel('As a .env file').inputValue())?.[1] ?? ''

  await page.getByLabel('Name', { exact: true }).fill('My reader')
  await page.getByLabel('Redirect URIs').fill('ftp://reader.example/')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('My reader')
  await page.getByLabel('Redirect URIs').fill('https://reader.example/back')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'The client secret' }).waitFor()
  const first = await readSecret()
  expect(await grant(first)).toBe(200)

  await page.getByText('Create a new client secret…').click()
  await page.getByRole('button', { name: 'Create a new client secret' }).click()
  await page.waitForURL((url) => url.searchParams.has('secret'))
  await page.getByText(first).first().waitFor({ state: 'detached' })
  expect([await grant(first), await grant(await readSecret())]).toEqual([401, 200])

  await page.getByText('Remove the app…').click()
  await page.getByRole('button', { name: 'Remove the app' }).click()
  expect(await noteOf(page)).toContain('removed')
  expect(await page.getByText('My reader').count()).toBe(0)
})

test('a session that is ended elsewhere ends at the next click, and the sign-in leads back to where it was', async () => {
  const { user, page } = await openAccount('/account')
  const other = await openPage()
  await other.goto(`${site}/sign-in`)
  await signIn(other, user)
  await other.goto(`${site}/account/sessions`)

  await other.getByText('Sign out all others…').click()
  await other.getByRole('button', { name: 'Sign out 1 other' }).click()
  expect(await noteOf(other)).toContain('signed out')
  await page.getByRole('link', { name: 'Access tokens', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await signIn(page, user)

  await page.getByRole('heading', { level: 1, name: 'Access tokens' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/account/tokens')
})

test('after signing out, Back shows nothing of the account', async () => {
  const { user, page } = await openAccount('/account')

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor({ state: 'detached' })
  await page.goBack()

  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(await page.getByText(user).count()).toBe(0)
})

test('a new password ends the other browser, and is the one that works', async () => {
  const { user, page } = await openAccount('/account/password', { script: false })
  const change = async (old: string, again: string) => {
    await page.getByLabel('Current password').fill(old)
    await page.getByLabel('New password', { exact: true }).fill('another horse')
    await page.getByLabel('New password again').fill(again)
    await page.getByRole('button', { name: 'Change password' }).click()
  }

  await change('wrong horse', 'another horse')
  await page.getByText('This is not your current password.').waitFor()
  await change('correct horse', 'an other horse')
  await page.getByText('The passwords do not match.').waitFor()
  await change('correct horse', 'another horse')
  expect(await noteOf(page)).toContain('changed')

  const other = await openPage()
  await other.goto(`${site}/sign-in`)
  await signIn(other, user)
  await other.getByRole('alert').waitFor()
  await signIn(other, user, 'another horse')
  await other.getByText(`Signed in as ${user}.`).waitFor()
})

test('what apps registered for delivery is shown and removed', async () => {
  const { user, page } = await openAccount('/account/delivery')
  const device = await server.openDevice(user)
  await device.post('/webhook/register', { form: { target_url: 'https://reader.example/hook', event: 'any' } })
  await device.post('/register/device', { form: { type: 'other', id: 'phone' } })

  await page.reload()
  await page.getByRole('button', { name: 'Remove https://reader.example/hook' }).click()
  await page.getByRole('button', { name: 'Remove https://reader.example/hook' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove phone' }).click()

  expect(await noteOf(page)).toContain('removed')
  await page.getByRole('button', { name: 'Remove phone' }).waitFor({ state: 'detached' })
})

test('an app that is signed out of loses its token', async () => {
  const { user, page } = await openAccount('/account/apps')
  const { token } = await server.openDevice(user)

  await page.reload()
  await page.getByRole('button', { name: 'Remove access of tests' }).click()

  expect(await noteOf(page)).toContain('signed out')
  expect((await server.get('/test', { token })).status).toBe(401)
})

test('the account is downloaded as JSON', async () => {
  const { user, page } = await openAccount('/account')
  const device = await server.openDevice(user)
  await device.sync({ from: 0, new_thing: [{ local_id: '1', title: 'Buy milk' }] })

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as JSON' }).click(),
  ])

  const chunks = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk)
  expect(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))).toContain('Buy milk')
})
