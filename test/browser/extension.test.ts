import type { Page } from 'puppeteer-core'
import { expect, test } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import { fill, find, openExtensionBrowser, readText, seeText, servePages, signInExtension } from './open-extension.ts'

const patience = { timeout: 60_000, interval: 100 }

const openServer = async () => {
  const data = await createTemporaryFolder()
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  const server = await startCliServer(data)
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

/** Saves with Enter; resolves when the popup says that it is saved, or has closed after that. */
const saveWithEnter = async (popup: Page): Promise<void> => {
  const closed = new Promise<void>((resolve) => void popup.once('close', () => resolve()))
  await popup.keyboard.press('Enter')
  await closed
}

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
  await seeText(setUp, '2 changes wait until the server can be reached.')
  const popup = await extension.openPopup(page)
  await seeText(popup, '2 changes wait until the server can be reached.')
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

test('a wrong URL of the server is explained beside its field, and a sign-out leaves nothing', async () => {
  const { home } = await openServer()
  const extension = await openExtensionBrowser()
  const page = await extension.findSetUp()
  const tryUrl = async (url: string, sentence: string) => {
    await fill(page, 'textbox', 'URL of your server', url)
    await (await find(page, 'button', 'Sign in')).click()
    await seeText(page, sentence)
  }

  await tryUrl('http://things.example', 'it must begin with https')
  await tryUrl('two words', 'this is not a URL')
  await tryUrl('http://127.0.0.1:9', 'The server cannot be reached.')
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
