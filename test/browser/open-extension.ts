import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import puppeteer, { type Browser, type Extension, type Page, type WebWorker } from 'puppeteer-core'
import { expect, onTestFinished, vi } from 'vitest'
import { buildExtension, writeExtension } from '../../extension/build/build.ts'
import { toJson } from '../../extension/build/manifest.ts'
import { packZip } from '../../extension/build/zip.ts'
import { findChromium } from '../support/find-chromium.ts'
import { createTemporaryFolder } from '../support/run-cli.ts'
import { unpackZip } from '../support/unpack-zip.ts'

const patience = { timeout: 60_000, interval: 50 }
const project = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Packs the extension as the release does, and unpacks the archive into a folder, as users do. No test can click in the
 * prompt of Chromium for the host permission, so this copy has that of the test servers from the start.
 */
const writeTestExtension = async (): Promise<string> => {
  const archive = packZip((await buildExtension(project)).listFiles('chromium'), 0)
  const files = new Map<string, string | Uint8Array>(unpackZip(archive))
  const manifest = JSON.parse(String(files.get('manifest.json')))
  files.set('manifest.json', toJson({ ...manifest, host_permissions: ['http://127.0.0.1/*'] }))
  const folder = join(await createTemporaryFolder(), 'extension')
  writeExtension(files, folder)
  return folder
}

/** A Chromium with a new profile and the extension. */
export interface ExtensionBrowser {
  readonly browser: Browser
  /** Opens the popup as a click on the button in the toolbar does, over this page. */
  readonly openPopup: (page: Page) => Promise<Page>
  /** Finds the page that the extension opens after its installation. */
  readonly findSetUp: () => Promise<Page>
  /** The running background script; Chromium starts it for the next event. */
  readonly findBackground: () => Promise<WebWorker>
}

/** Opens a browser with the extension, until the test is finished. */
export const openExtensionBrowser = async (): Promise<ExtensionBrowser> => {
  const executablePath = findChromium(process.env.CHROMIUM)
  if (executablePath === undefined) throw new Error('Chromium went away')
  const folder = await writeTestExtension()
  const browser = await puppeteer.launch({
    executablePath,
    headless: true,
    // The protocol offers extensions only through a pipe.
    pipe: true,
    enableExtensions: [folder],
    // Without --disable-gpu: Chromium crashes when it then draws a popup.
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--lang=en-GB',
    ],
  })
  onTestFinished(() => browser.close())
  const findExtension = async (): Promise<Extension> => {
    const [extension] = [...(await browser.extensions()).values()]
    if (extension === undefined) throw new Error('the extension is not installed')
    return extension
  }
  const waitFor = (file: string) => browser.waitForTarget((target) => target.url().endsWith(`/${file}`), patience)
  return {
    browser,
    openPopup: async (page) => {
      await page.bringToFront()
      const opening = waitFor('popup.html')
      await page.triggerExtensionAction(await findExtension())
      const popup = await (await opening).asPage()
      await popup.waitForSelector('h1', patience)
      return popup
    },
    findSetUp: async () => {
      const page = await (await waitFor('setup.html')).page()
      if (page === null) throw new Error('the setup page is no page')
      return page
    },
    findBackground: async () => {
      const worker = await (await waitFor('background.js')).worker()
      if (worker === null) throw new Error('the background is no worker')
      return worker
    },
  }
}

/** The texts of a page. */
export const readText = (page: Page): Promise<string> => page.$eval('body', (body) => body.innerText)

/** Waits until the page shows a text. */
export const seeText = (page: Page, text: string): Promise<void> =>
  expect.poll(() => readText(page), patience).toContain(text)

/** Finds the field or button with this name, as assistive technology does. */
export const find = (page: Page, role: 'textbox' | 'button' | 'combobox', name: string) =>
  vi.waitFor(async () => {
    const found = await page.$(`::-p-aria([name="${name}"][role="${role}"])`)
    if (found === null) throw new Error(`there is no ${role} ${name}`)
    return found
  }, patience)

/** Replaces the value of a field as a user does. */
export const fill = async (page: Page, role: 'textbox' | 'combobox', name: string, text: string): Promise<void> => {
  const field = await find(page, role, name)
  await field.click({ count: 3 })
  await field.press('Backspace')
  await field.type(text)
}

/** Enters the URL of a server on the page of the extension, and returns the window of that server. */
export const openSignInWindow = async ({ browser, findSetUp }: ExtensionBrowser, server: string): Promise<Page> => {
  const page = await findSetUp()
  await page.bringToFront()
  await fill(page, 'textbox', 'URL of your server', server)
  const opening = browser.waitForTarget((target) => target.url().includes('/authorize?'), patience)
  await (await page.waitForSelector('button[type=submit]', patience))?.click()
  const window = await (await opening).page()
  if (window === null) throw new Error('the sign-in window is no page')
  return window
}

/** Signs anna in on the pages of the server, as far as the question whether she allows the access. */
export const signInToServer = async (window: Page): Promise<void> => {
  await (await find(window, 'textbox', 'User name')).type('anna')
  await window.type('input[type=password]', 'correct horse')
  await (await find(window, 'button', 'Sign in')).click()
  await find(window, 'button', 'Allow')
}

/** Signs anna in with the extension, through the pages of the server. */
export const signInExtension = async (extension: ExtensionBrowser, server: string): Promise<Page> => {
  const window = await openSignInWindow(extension, server)
  await signInToServer(window)
  await (await find(window, 'button', 'Allow')).click()
  const page = await extension.findSetUp()
  await seeText(page, 'Signed in as anna')
  return page
}

/** Serves small pages for one test; `/two-words` has the title "Page two-words". Returns their base URL. */
export const servePages = async (): Promise<string> => {
  const listener = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Page ${name}</title><p>Some words</p></html>`)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    listener.closeAllConnections()
    listener.close()
  })
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
}
