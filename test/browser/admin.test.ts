import { expect, test } from 'vitest'
import { systemEnvironment } from '../../src/environment.ts'
import { openFileServer } from '../support/open-test-server.ts'
import { signInContext } from './furnish.ts'
import { openBrowser, openPage } from './open-page.ts'
import { signIn } from './sign-in.ts'

const server = await openFileServer({ settings: { openRegistration: true } })
const site = server.baseUrl.replace(/\/v1\/$/, '')

/** A browser of the admin, at a page. */
const openAdmin = async (path: string, window: Parameters<typeof openBrowser>[0] = {}) => {
  const context = await openBrowser(window)
  await signInContext(context, server)
  const page = await context.newPage()
  await page.goto(`${site}${path}`)
  return page
}

const newName = () => `user-${systemEnvironment.newId()}`

test('a user is added, sets a password by the link, is disabled, enabled and removed', async () => {
  const name = newName()
  const page = await openAdmin('/admin/users')

  await page.getByLabel('Name of the new user').fill(name)
  await page.getByRole('button', { name: 'Add the user' }).click()
  await page.getByRole('button', { name: 'Create a link' }).click()
  const link = await page.getByLabel('The link').inputValue()
  const theirs = await openPage({ width: 360 })
  await theirs.goto(link)
  await theirs.getByLabel('Password', { exact: true }).fill('correct horse')
  await theirs.getByLabel('Password again').fill('correct horse')
  await theirs.getByRole('button', { name: 'Set the password' }).click()
  await theirs.getByText(`Signed in as ${name}.`).waitFor()

  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('The account is disabled').waitFor()
  await theirs.reload()
  await theirs.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('The account is enabled').waitFor()
  await signIn(theirs, name)
  await theirs.getByText(`Signed in as ${name}.`).waitFor()

  await page.getByRole('link', { name: 'Remove…' }).click()
  await page.getByLabel('Type the user name').fill('another name')
  await page.getByRole('button', { name: 'Remove permanently' }).click()
  await page.getByText('The name does not match.').waitFor()
  await page.getByLabel('Type the user name').fill(name)
  await page.getByRole('button', { name: 'Remove permanently' }).click()
  await page.getByText('The account and all its data are removed.').waitFor()
  await theirs.reload()
  await theirs.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
}, 300_000)

test('an invitation creates an account once, even without JavaScript', async () => {
  const name = newName()
  const page = await openAdmin('/admin/users', { width: 360, script: false })

  await page.getByRole('button', { name: 'Create an invitation' }).dblclick()
  const link = await page.getByLabel('The link').inputValue()
  const theirs = await openPage({ script: false })
  await theirs.goto(link)
  await theirs.getByLabel('User name').fill(name)
  await theirs.getByLabel('Password', { exact: true }).fill('correct horse')
  await theirs.getByLabel('Password again').fill('correct horse')
  await theirs.getByRole('button', { name: 'Create the account' }).click()
  await theirs.getByText(`Signed in as ${name}.`).waitFor()

  expect((await (await openPage()).goto(link))?.status()).toBe(404)
})

test('where registration is open a user creates an account, and a name that is taken is an error', async () => {
  const name = newName()
  const page = await openPage({ width: 360 })
  const register = async (as: string) => {
    await page.getByLabel('User name').fill(as)
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.getByLabel('Password again').fill('correct horse')
    await page.getByRole('button', { name: 'Create the account' }).click()
  }

  await page.goto(`${site}/register`)
  await register('anna')
  await page.locator('[aria-invalid=true]').waitFor()
  await register(name)
  await page.getByText(`Signed in as ${name}.`).waitFor()
})

test('any app is removed by the admin', async () => {
  const page = await openAdmin('/admin/apps')
  const { token } = await server.openDevice()
  const row = page.getByRole('listitem').filter({ hasText: server.clientId })

  await row.getByText('Remove…').click()
  await row.getByRole('button', { name: 'Remove and sign out everywhere' }).click()
  await page.getByText('The app is removed').waitFor()

  expect((await server.get('/test', { token })).status).toBe(401)
})

test('for other users the admin pages do not exist', async () => {
  const name = newName()
  await server.addUser(name)
  const context = await openBrowser()
  await signInContext(context, server, name)
  const page = await context.newPage()

  for (const path of ['/admin', '/admin/users', '/admin/apps', '/admin/limits', '/admin/store']) {
    expect((await page.goto(`${site}${path}`))?.status()).toBe(404)
  }
  expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0)
})
