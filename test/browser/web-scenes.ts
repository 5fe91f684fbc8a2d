import type { BrowserContext, Page } from 'playwright-core'
import { signInContext } from './furnish.ts'
import { readThing, type Stage } from './furnish-web.ts'
import { openBrowser, type Window } from './open-page.ts'
import { allSaved, expectedOffline, goOffline, listedItems, seeState } from './web-app-page.ts'

/** A screen of the web app in one of its states. */
export interface WebScene {
  /** As in the names of its picture and of its accessibility tree. */
  readonly name: string
  /** The width of its window in CSS pixels, if the screen needs this width. */
  readonly width?: number
  /** Shows it, in a page of a browser of its own. */
  readonly open: (stage: Stage, window?: Window) => Promise<Page>
}

/** As a browser writes them; the last one is there already. */
const bookmarks = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://example.com/bread" ADD_DATE="1789000000" TAGS="cooking">Sourdough in five days</A>
<DT><A HREF="https://example.net/lakes" ADD_DATE="1788000000">Lakes with a railway station</A>
<DT><A HREF="https://example.net/night-trains" ADD_DATE="1788000000">Night trains from Berlin in spring</A>
</DL><p>`

const begin = async ({ server, home }: Stage, name: string, window: Window = {}): Promise<Page> => {
  const context = await openBrowser({ expected: expectedOffline, ...window })
  await signInContext(context, server, name)
  const page = await context.newPage()
  await page.goto(home)
  await page.getByLabel('New item').waitFor()
  return page
}

const openList = async (stage: Stage, window?: Window): Promise<Page> => {
  const page = await begin(stage, 'anna', window)
  await listedItems(page).getByText(readThing).waitFor()
  return page
}
const openEmpty = async (stage: Stage, window?: Window): Promise<Page> => {
  const page = await begin(stage, 'bert', window)
  await page.getByText('Nothing here yet').waitFor()
  await seeState(page, allSaved)
  return page
}
const openThing = async (stage: Stage, window?: Window): Promise<Page> => {
  const page = await openList(stage, window)
  await page.getByRole('link', { name: `Details: ${readThing}` }).press('Enter')
  await page.getByRole('heading', { level: 1, name: readThing }).waitFor()
  return page
}
const goTo = async (page: Page, name: string): Promise<Page> => {
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  return page
}
const openTransfer = async (stage: Stage, window?: Window): Promise<Page> => {
  const page = await goTo(await openList(stage, window), 'Import and export')
  await page.getByLabel('Files to import').waitFor()
  return page
}
/** The screen with this German name. */
const openInGerman = async (stage: Stage, name: string, window?: Window): Promise<Page> => {
  const page = await goTo(await openList(stage, window), 'Settings')
  await page.getByLabel('Language').selectOption('de')
  await page.getByRole('navigation', { name: 'Seiten' }).getByRole('link', { name, exact: true }).click()
  return page
}
/** A file in which two items are new. */
const chooseFile = (page: Page, label: string) =>
  page
    .getByLabel(label)
    .setInputFiles({ name: 'bookmarks.html', mimeType: 'text/html', buffer: Buffer.from(bookmarks) })
const add = async (page: Page, line: string): Promise<void> => {
  await page.getByLabel('New item').fill(line)
  await page.getByLabel('New item').press('Enter')
  await page.getByRole('button', { name: 'Undo' }).first().waitFor()
}
const openAnonymous = async ({ home }: Stage, window?: Window): Promise<Page> => {
  const page = await (await openBrowser(window)).newPage()
  await page.goto(home)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  return page
}
const contextOf = (page: Page): BrowserContext => page.context()

/** Every screen of the app, with items and without, and the states that it can be in. */
export const webScenes: readonly WebScene[] = [
  { name: 'welcome', open: openAnonymous },
  {
    name: 'welcome-denied',
    open: async (stage, window) => {
      const page = await openAnonymous(stage, window)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('User name').waitFor()
      // The response to a user who denies access, for example on a server behind another sign-in.
      const state = new URL(page.url()).searchParams.get('state')
      await page.goto(`${stage.home}?error=access_denied&state=${state}`)
      await page.getByRole('alert').waitFor()
      return page
    },
  },
  { name: 'list', open: openList },
  { name: 'list-empty', open: openEmpty },
  {
    name: 'list-nothing-found',
    open: async (stage, window) => {
      const page = await openList(stage, window)
      await page.getByLabel('Search').fill('asparagus')
      await page.getByText('No matches for “asparagus” in your 11 items.').waitFor()
      return page
    },
  },
  {
    name: 'list-selected',
    open: async (stage, window) => {
      const page = await openList(stage, window)
      await page.getByLabel('Select Bread from the baker').press('Space')
      await page.getByLabel('Select Call the plumber').check()
      await page.getByText('2 items selected').waitFor()
      return page
    },
  },
  {
    name: 'list-rejected-line',
    open: async (stage, window) => {
      const page = await openList(stage, window)
      await page.getByLabel('New item').fill('#garden')
      await page.getByLabel('New item').press('Enter')
      await page.getByText('This has only tags').waitFor()
      return page
    },
  },
  { name: 'thing', open: openThing },
  {
    name: 'panes',
    width: 1280,
    open: async (stage, window) => openThing(stage, { width: 1280, height: 800, ...window }),
  },
  {
    name: 'edit',
    open: async (stage, window) => {
      const page = await openThing(stage, window)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('textbox', { name: 'Title' }).waitFor()
      await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
      return page
    },
  },
  { name: 'tags', open: async (stage, window) => goTo(await openList(stage, window), 'Tags') },
  {
    name: 'tags-settings',
    open: async (stage, window) => {
      const page = await goTo(await openList(stage, window), 'Tags')
      await page.getByRole('button', { name: 'Settings of home' }).click()
      await page.getByLabel('New name of home').waitFor()
      return page
    },
  },
  { name: 'tags-none', open: async (stage, window) => goTo(await openEmpty(stage, window), 'Tags') },
  {
    name: 'recent',
    open: async (stage, window) => {
      const page = await openList(stage, window)
      await listedItems(page).getByLabel('Done: Oat milk').click()
      await listedItems(page).locator('.struck', { hasText: 'Oat milk' }).waitFor()
      await listedItems(page).getByLabel('Done: Oat milk').click()
      await listedItems(page).locator('.title:not(.struck)', { hasText: 'Oat milk' }).waitFor()
      await seeState(page, allSaved)
      return goTo(page, 'History')
    },
  },
  { name: 'recent-nothing', open: async (stage, window) => goTo(await openEmpty(stage, window), 'History') },
  { name: 'settings', open: async (stage, window) => goTo(await openList(stage, window), 'Settings') },
  { name: 'transfer', open: openTransfer },
  {
    name: 'transfer-preview',
    open: async (stage, window) => {
      const page = await openTransfer(stage, window)
      await chooseFile(page, 'Files to import')
      await page.getByRole('button', { name: 'Import 2 items' }).waitFor()
      return page
    },
  },
  {
    name: 'transfer-german',
    open: async (stage, window) => {
      const page = await openInGerman(stage, 'Import und Export', window)
      await chooseFile(page, 'Dateien zum Importieren')
      await page.getByRole('button', { name: '2 Einträge importieren' }).waitFor()
      return page
    },
  },
  {
    name: 'list-german',
    open: async (stage, window) => {
      const page = await openInGerman(stage, 'Einträge', window)
      await page.getByRole('list', { name: 'Einträge' }).getByText(readThing).waitFor()
      return page
    },
  },
  { name: 'help', open: async (stage, window) => goTo(await openList(stage, window), 'Help') },
  {
    name: 'offline',
    open: async (stage, window) => {
      const page = await openEmpty(stage, window)
      await goOffline(page)
      await add(page, 'Tickets for the night train #travel')
      await page.getByText('1 change waits for the network').waitFor()
      return page
    },
  },
  {
    name: 'second-tab',
    open: async (stage, window) => {
      const page = await openList(stage, window)
      const second = await contextOf(page).newPage()
      // A page that has the lock and does not respond, like the tab of a phone that the system has suspended.
      await page.goto(`${stage.home}docs`)
      await page.evaluate(() => void navigator.locks.request('thingsync / hold', () => new Promise(() => undefined)))
      await second.goto(stage.home)
      await second.getByRole('button', { name: 'Use this tab' }).waitFor()
      return second
    },
  },
]
