import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import { openBrowser, type Window } from './open-page.ts'
import { signIn } from './sign-in.ts'

/** What Chromium says of each request while there is no network, or no server. */
export const expectedOffline =
  /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY|ERR_CONNECTION_RESET|ERR_NETWORK_CHANGED/

/**
 * A server as users start it, with the web app and a user `anna`. It reads no pages for link previews, which tests of
 * these allow.
 */
export const openWebServer = async (args: readonly string[] = ['--no-link-preview']) => {
  const data = await createTemporaryFolder()
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  const server = await startCliServer(data, args)
  return { data, server, home: server.baseUrl.replace(/v1\/$/, '') }
}

/** A browser of its own in which anna has signed in to the app, through the server's own pages. */
export const openSignedIn = async (
  home: string,
  path = '',
  expected = expectedOffline,
  window: Window = {},
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await openBrowser({ ...window, expected })
  return { context, page: await signInWith(context, home, path) }
}

/** A page of this browser in which anna has signed in to the app. */
export const signInWith = async (context: BrowserContext, home: string, path = ''): Promise<Page> => {
  const page = await context.newPage()
  await signInToApp(page, `${home}${path}`)
  return page
}

/** Signs anna in to the app at this URL. */
export const signInToApp = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, 'anna')
  // A phone shows it on demand.
  await page.getByLabel('New item').waitFor({ state: 'attached' })
}

/** The items in the list. */
export const listedItems = (page: Page): Locator => page.getByRole('list', { name: 'Items' }).getByRole('listitem')

/** The line that adds an item; on a phone, it is there after a tap on the bar. */
const openAddField = async (page: Page): Promise<Locator> => {
  const field = page.getByLabel('New item')
  if (!(await field.isVisible())) await page.getByRole('button', { name: 'Add', exact: true }).click()
  return field
}

/** Adds an item as users do; resolves when it is in the list, which says that it is stored. */
export const addThing = async (page: Page, title: string): Promise<void> => {
  const field = await openAddField(page)
  await field.fill(title)
  await field.press('Enter')
  await listedItems(page).getByText(title, { exact: true }).waitFor()
}

/** Types a line with tags or a URL, and adds it; resolves when the item of this title is in the list. */
export const addLine = async (page: Page, line: string, title: string): Promise<void> => {
  const field = await openAddField(page)
  await field.fill(line)
  await field.press('Enter')
  await listedItems(page).getByRole('link', { name: title, exact: true }).waitFor()
}

/** Shows the URL and the date of an item, as its fields. */
export const openDetails = (page: Page): Promise<void> => page.getByText('Details', { exact: true }).click()

/** Goes to a screen, or follows another link, as users do. The bar of a phone has a link to the other screens. */
export const goTo = async (page: Page, name: string): Promise<void> => {
  const link = page.getByRole('link', { name, exact: true }).first()
  const more = page.getByRole('link', { name: 'More screens', exact: true }).last()
  if (!(await link.isVisible()) && (await more.isVisible())) await more.click()
  await link.click()
}

/** Waits until the list shows exactly these titles, from the top. */
export const seeList = (page: Page, titles: readonly string[]): Promise<void> =>
  expect.poll(() => listedItems(page).locator('.title').allInnerTexts(), { timeout: 60_000 }).toEqual(titles)

/** The same in any order: items that were created in the same second have no order. */
export const seeTitles = (page: Page, titles: readonly string[]): Promise<void> =>
  expect.poll(() => listTitles(page), { timeout: 60_000 }).toEqual([...titles].sort())

/** The titles that the page shows, sorted. */
export const listTitles = async (page: Page): Promise<readonly string[]> =>
  (await listedItems(page).locator('.title').allInnerTexts()).sort()

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

/** Takes the network away. Not before the service worker is there: cut off while it is fetched, it complains. */
export const goOffline = async (page: Page): Promise<void> => {
  await isReadyForOffline(page)
  await page.context().setOffline(true)
}

/** A browser that gave an item the title “My words”, which another one has changed to “Other words” since. */
export const openOverwritten = async (): Promise<Awaited<ReturnType<typeof openSignedIn>>> => {
  const { home } = await openWebServer()
  const phone = await openSignedIn(home)
  const laptop = await openSignedIn(home)
  await addThing(phone.page, 'My words')
  await seeState(phone.page, allSaved)

  await listedItems(laptop.page).getByRole('link', { name: 'My words' }).click()
  await laptop.page.getByRole('button', { name: 'Edit' }).click()
  await laptop.page.getByLabel('Title').fill('Other words')
  await laptop.page.getByRole('button', { name: 'Save' }).click()
  return phone
}
