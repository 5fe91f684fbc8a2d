import type { Page } from 'puppeteer-core'
import { expect, test } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import {
  fill,
  find,
  openExtensionBrowser,
  openSignInWindow,
  readText,
  seeText,
  servePages,
  signInExtension,
  signInToServer,
} from './open-extension.ts'

const patience = { timeout: 60_000, interval: 100 }

const openServer = async (args: readonly string[] = []) => {
  const data = await createTemporaryFolder()
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  const server = await startCliServer(data, args)
  const home = server.baseUrl.replace(/v1\/$/, '')
  /** What the server has, as title, URL, tags and note. */
  const listItems = async (): Promise<string[][]> => {
    const { stdout } = await runCli(['export', '--user', 'anna', '--data', data])
    const { things } = JSON.parse(stdout)
    return things
      .map(({ title, url = '', tags, html = '' }: Record<string, string>) => [title, url, tags, html])
      .sort(([one]: string[], [other]: string[]) => ((one ?? '') < (other ?? '') ? -1 : 1))
  }
  return { data, server, home, listItems }
}

/** Saves with Enter; resolves when the popup has closed after that. */
const saveWithEnter = (popup: Page): Promise<void> => closePopup(popup, () => popup.keyboard.press('Enter'))

/** Saves with a click; resolves when the popup has closed after that. */
const saveWithClick = (popup: Page): Promise<void> =>
  closePopup(popup, async () => (await find(popup, 'button', 'Save')).click())

const closePopup = async (popup: Page, save: () => Promise<void>): Promise<void> => {
  const closed = new Promise<void>((resolve) => void popup.once('close', () => resolve()))
  await save()
  await closed
}

test('a new user saves ten pages, two of them without the server, and finds all ten in the web app', async () => {
  const { data, server, home } = await openServer()
  const pages = await servePages()
  const extension = await openExtensionBrowser()
  const setUp = await signInExtension(extension, home)
  const page = await extension.browser.newPage()
  const names = Array.from({ length: 10 }, (_, index) => `journey-${index}`)

  for (const [index, name] of names.entries()) {
    if (index === 8) {
      await seeText(setUp, 'Everything is saved here and on the server.')
      await server.stop()
    }
    await page.goto(`${pages}${name}`)
    // The first click opens the popup. The second one, or Enter, saves.
    const popup = await extension.openPopup(page)
    await (index % 2 === 0 ? saveWithClick(popup) : saveWithEnter(popup))
  }
  await seeText(setUp, '2 changes wait for the server.')
  await startCliServer(data, ['--port', new URL(home).port])
  const app = await extension.browser.newPage()
  await app.goto(home)
  // The web app has the session of the same browser.
  await fill(app, 'combobox', 'Search', 'journey')

  const listTitles = () => app.$$eval('.windowed .title', (titles) => titles.map((title) => title.textContent).sort())
  await expect.poll(listTitles, patience).toEqual(names.map((name) => `Page ${name}`))
})

test('a page is saved with a click and Enter, edited later, and found on the server', async () => {
  const { home, listItems } = await openServer()
  const pages = await servePages()
  const extension = await openExtensionBrowser()
  await signInExtension(extension, home)
  const page = await extension.browser.newPage()
  await page.goto(`${pages}one`)

  const first = await extension.openPopup(page)
  await saveWithEnter(first)
  await expect.poll(listItems, patience).toEqual([['Page one', `${pages}one`, '', '']])
  const second = await extension.openPopup(page)
  await seeText(second, 'Saved on ')
  await fill(second, 'textbox', 'Title', 'A better title')
  await fill(second, 'combobox', 'Tags', '#reading, home')
  await fill(second, 'textbox', 'Note', 'Two < three')
  await (await find(second, 'button', 'Save changes')).click()

  const edited = ['A better title', `${pages}one`, 'reading home', '<p>Two &lt; three</p>']
  await expect.poll(listItems, patience).toEqual([edited])
  const other = await extension.browser.newPage()
  await other.goto(`${pages}two`)
  const third = await extension.openPopup(other)
  await seeText(third, 'reading')
  await third.keyboard.type('rea')
  await third.keyboard.press('ArrowDown')
  await third.keyboard.press('Enter')
  await saveWithEnter(third)
  await expect.poll(listItems, patience).toEqual([edited, ['Page two', `${pages}two`, 'reading', '']])
})

test('without a server, pages, links and selections are saved, and sent when a later event starts the extension', async () => {
  const { data, server, home, listItems } = await openServer()
  const pages = await servePages()
  const extension = await openExtensionBrowser()
  const setUp = await signInExtension(extension, home)
  await seeText(setUp, 'Everything is saved here and on the server.')
  const page = await extension.browser.newPage()
  await page.goto(`${pages}one`)
  await server.stop()

  await saveWithEnter(await extension.openPopup(page))
  const background = await extension.findBackground()
  // No test can click in the menu of Chromium itself: this dispatches what that click does.
  await background.evaluate((from) => {
    const { contextMenus } = (globalThis as unknown as { chrome: ContextMenus }).chrome
    const tab = { title: 'Page one', url: `${from}one` }
    contextMenus.onClicked.dispatch({ menuItemId: 'selection', selectionText: 'Some words', pageUrl: tab.url }, tab)
    contextMenus.onClicked.dispatch({ menuItemId: 'link', linkUrl: `${from}other/some-article`, pageUrl: tab.url }, tab)
  }, pages)
  await seeText(setUp, '2 changes wait for the server.')
  const popup = await extension.openPopup(page)
  await seeText(popup, '2 changes wait for the server.')
  const offline = await listItems()
  await popup.close()
  await setUp.close()
  await background.close()
  await startCliServer(data, ['--port', new URL(home).port])
  // Another tab comes to the front, as when the user goes on.
  await (await extension.browser.newPage()).goto(`${pages}later`)
  await page.bringToFront()

  await expect.poll(listItems, patience).toEqual([
    [`${new URL(pages).host} – some article`, `${pages}other/some-article`, '', ''],
    ['Page one', `${pages}one`, '', '<blockquote><p>Some words</p></blockquote>'],
  ])
  expect(offline).toEqual([])
})

test('over a page without a URL, the popup makes a note, and an empty one is not saved', async () => {
  const { home, listItems } = await openServer()
  const extension = await openExtensionBrowser()
  await signInExtension(extension, home)

  const popup = await extension.openPopup(await extension.browser.newPage())
  await seeText(popup, 'New note')
  await popup.keyboard.press('Enter')
  await seeText(popup, 'Write a title, a URL or a note.')
  await fill(popup, 'textbox', 'Note', 'Only words')
  await closePopup(popup, async () => {
    await popup.keyboard.down('Control')
    await popup.keyboard.press('Enter')
  })

  await expect.poll(listItems, patience).toEqual([['Only words', '', '', '<p>Only words</p>']])
})

test('after the end of the session, the user signs in again, and what was saved meanwhile is sent', async () => {
  const { data, home, listItems } = await openServer()
  const pages = await servePages()
  const extension = await openExtensionBrowser()
  const setUp = await signInExtension(extension, home)
  const page = await extension.browser.newPage()
  await page.goto(`${pages}one`)
  const { stdout } = await runCli(['session', 'list', '--user', 'anna', '--format', 'json', '--data', data])
  for (const { id } of JSON.parse(stdout)) await runCli(['session', 'revoke', id, '--data', data])

  await saveWithEnter(await extension.openPopup(page))
  await seeText(setUp, 'Your session as anna has ended. Sign in again. 1 change waits, and is sent then.')
  const popup = await extension.openPopup(page)
  await seeText(popup, 'Your session has ended.')
  await popup.close()
  await signInExtension(extension, home)

  await expect.poll(listItems, patience).toEqual([['Page one', `${pages}one`, '', '']])
})

test('each way in which a sign-in ends early is explained, and the next attempt works', async () => {
  const { home } = await openServer()
  const other = await openServer(['--no-extension'])
  const extension = await openExtensionBrowser()
  const page = await extension.findSetUp()
  const replaceRequest = (request: string) =>
    page.evaluate(`request = chrome.permissions.request; chrome.permissions.request = ${request}`)

  await fill(page, 'textbox', 'URL of your server', other.home)
  await (await find(page, 'button', 'Sign in')).click()
  await seeText(page, 'This server does not know the extension.')
  await fill(page, 'textbox', 'URL of your server', home)
  // No test can click in the prompt of Chromium.
  await replaceRequest('async () => false')
  await (await find(page, 'button', 'Sign in')).click()
  await seeText(page, 'The browser did not allow access to this server.')
  await replaceRequest('() => new Promise(() => {})')
  await (await find(page, 'button', 'Sign in')).click()
  await seeText(page, 'Allow the access when the browser asks.')
  await (await find(page, 'button', 'Cancel')).click()
  await replaceRequest('async () => true')
  const closed = await openSignInWindow(extension, home)
  await seeText(page, 'Continue in the window that opens.')
  await closed.close()
  await seeText(page, 'The window was closed before you signed in.')
  const denied = await openSignInWindow(extension, home)
  await signInToServer(denied)
  await (await find(denied, 'button', 'Deny')).click()
  await seeText(page, 'You did not allow the access on the page of your server.')
  const allowed = await openSignInWindow(extension, home)
  await (await find(allowed, 'button', 'Allow')).click()

  await seeText(page, 'Signed in as anna')
})

test('a wrong URL of the server is explained beside its field, and a sign-out leaves nothing', async () => {
  const { home } = await openServer()
  const extension = await openExtensionBrowser()
  const page = await extension.findSetUp()
  const tryUrl = async (url: string, sentence: string) => {
    await fill(page, 'textbox', 'URL of your server', url)
    await (await find(page, 'button', 'Sign in')).click()
    await seeText(page, sentence)
  }

  await tryUrl('http://things.example', 'The URL must begin with https')
  await tryUrl('two words', 'This is not a URL')
  await tryUrl('http://127.0.0.1:9', 'There is no response from http://127.0.0.1:9/')
  await tryUrl(`${home}none/`, 'There is no thingsync server with a sign-in page at this URL.')
  await signInExtension(extension, home)
  await (await find(page, 'button', 'Sign out')).click()
  await find(page, 'textbox', 'URL of your server')
  const web = await extension.browser.newPage()
  await web.goto(`${home}docs`)
  const popup = await extension.openPopup(web)

  expect(await readText(popup)).toContain('Sign in to your server to save pages.')
  const stored = await (await extension.findBackground()).evaluate(async () => {
    const { storage } = (globalThis as unknown as { chrome: Storage }).chrome
    return await storage.local.get(null)
  })
  expect(stored).toEqual({})
})

interface ContextMenus {
  readonly contextMenus: { readonly onClicked: { readonly dispatch: (click: object, tab: object) => void } }
}

interface Storage {
  readonly storage: { readonly local: { readonly get: (keys: null) => Promise<object> } }
}
