import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import { openPage } from './open-page.ts'
import { signIn } from './sign-in.ts'
import { addThing, allSaved, goTo, openSignedIn, openWebServer, seeState, signInToApp } from './web-app-page.ts'

/** A server after its first start, and the link that it wrote. */
const openFirstServer = async () => {
  const data = await createTemporaryFolder()
  const { baseUrl } = await startCliServer(data)
  const secrets = await readFile(join(data, 'first-run.txt'), 'utf8')
  const link = /^THINGSYNC_SIGN_IN_LINK='(.*)'$/m.exec(secrets)?.[1] ?? ''
  return { link, home: baseUrl.replace(/v1\/$/, '') }
}

test.each([
  { name: 'in a large window', width: 1280, scheme: 'light', script: true },
  { name: 'on a phone, in the dark, without JavaScript', width: 360, scheme: 'dark', script: false },
] as const)('the link of a first start signs the owner in once, $name', async (window) => {
  const { link } = await openFirstServer()
  const page = await openPage(window)

  // Looking at a link uses nothing up.
  await page.goto(link)
  await page.reload()
  await page.getByRole('button', { name: 'Open my list' }).click()
  if (window.script) await page.getByLabel('New item').waitFor()
  else await page.waitForURL((url) => url.pathname === '/')
  const landed = page.url()
  await page.goto(new URL('/admin', link).href)
  await page.getByRole('heading', { level: 1, name: 'Admin' }).waitFor()
  const again = await (await openPage(window)).goto(link)

  expect(new URL(landed).search).toBe('')
  expect(again?.status()).toBe(404)
})

test('the first link sets a password and opens the list, in one step', async () => {
  const { link, home } = await openFirstServer()
  const page = await openPage()

  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill('battery staple')
  await page.getByLabel('Password again').fill('battery staple')
  await page.getByRole('button', { name: 'Open my list' }).click()
  await page.getByText('Nothing here yet').waitFor()
  const landed = page.url()
  const other = await openPage()
  await other.goto(`${home}sign-in`)
  await signIn(other, 'owner', 'battery staple')
  await other.getByText('Nothing here yet').waitFor()

  expect(landed).toBe(home)
})

test('a browser that is signed in at the server opens the list without a question, and a sign-out ends both', async () => {
  const { home } = await openWebServer()
  const page = await openPage()
  await page.goto(`${home}account`)
  await signIn(page, 'anna')
  await page.getByText('Signed in as anna.').waitFor()

  await page.goto(home)
  await page.getByLabel('New item').waitFor()
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.goto(`${home}account`)

  await page.getByLabel('Password', { exact: true }).waitFor()
})

test('a sign-in as another user opens the list of that user, not the list that was open before', async () => {
  const { home, data } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addThing(page, 'Only for anna')
  await seeState(page, allSaved)

  const { stdout } = await runCli(['user', 'invite', 'bert', '--data', data])
  await page.goto(/https?:\S+link\?key=\S+/.exec(stdout)?.[0] ?? '')
  await page.getByLabel('Password', { exact: true }).fill('battery staple')
  await page.getByLabel('Password again').fill('battery staple')
  await page.getByRole('button', { name: 'Create the account' }).click()

  await page.getByText('Nothing here yet').waitFor()
  expect(await page.getByText('Only for anna').count()).toBe(0)
})

test('after a sign-in the items are requested once, and the request is not given up', async () => {
  const { home } = await openWebServer()
  const page = await openPage()
  const requested: string[] = []
  const failed: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname))

  await signInToApp(page, home)
  await seeState(page, allSaved)

  expect(requested.filter((path) => path === '/v1/sync')).toHaveLength(1)
  expect(failed).not.toContain('/v1/sync')
})
