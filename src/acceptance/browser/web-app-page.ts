import type { BrowserContext, Locator, Page } from 'playwright-core'
import { makeTemporaryFolder, runCli, startCliServer } from '../run-cli.ts'
import { openBrowser } from './open-page.ts'
import { signIn } from './sign-in.ts'

/** What Chromium says of each request while there is no network, or no server. */
export const expectedOffline =
  /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY|ERR_CONNECTION_RESET|ERR_NETWORK_CHANGED/

/** A server as users start it, with the web app and a user `anna`. */
export const openWebServer = async (args: readonly string[] = []) => {
  const data = await makeTemporaryFolder()
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  const server = await startCliServer(data, args)
  return { data, server, home: server.baseUrl.replace(/v1\/$/, '') }
}

/** A page of this browser in which anna has signed in to the app, through the server's own pages. */
export const signInWith = async (context: BrowserContext, home: string, path = ''): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`${home}${path}`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, 'anna')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByLabel('New thing').waitFor()
  return page
}

/** A browser of its own in which anna has signed in to the app. */
export const openSignedIn = async (
  home: string,
  path = '',
  expected = expectedOffline,
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await openBrowser({ expected })
  return { context, page: await signInWith(context, home, path) }
}

/** The things in the list. */
export const listedThings = (page: Page): Locator => page.getByRole('list', { name: 'Things' }).getByRole('listitem')

/** Adds a thing as people do; resolves when it is in the list, which says that it is kept. */
export const addThing = async (page: Page, title: string): Promise<void> => {
  const field = page.getByLabel('New thing')
  await field.fill(title)
  await field.press('Enter')
  await listedThings(page).getByText(title, { exact: true }).waitFor()
}

/** The titles that the page shows, sorted. */
export const listTitles = async (page: Page): Promise<readonly string[]> =>
  (await listedThings(page).locator('.title').allInnerTexts()).sort()

/** What the page says when nothing waits. */
export const allSaved = 'Everything is saved here and on the server.'

/** Waits until the page says this of its state. */
export const seeState = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor()

/** Waits until the service worker holds the app. */
export const isReadyForOffline = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
