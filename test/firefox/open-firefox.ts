import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { expect, inject, onTestFinished } from 'vitest'

/** What Firefox says of each request while there is no server. */
export const expectedOffline = /NetworkError|can’t establish a connection|NS_ERROR|Cross-Origin|was interrupted/

/** Options of `launchFirefox`. */
export interface FirefoxOptions {
  /** Arguments of the command. */
  readonly args?: readonly string[]
}

/**
 * Starts a Firefox of its own with a new profile, driven by WebDriver BiDi, which needs no driver beside it. It is closed
 * when the test is finished.
 */
export const launchFirefox = async ({ args = [] }: FirefoxOptions = {}): Promise<Browser> => {
  // Wherever the home is: Firefox looks there for profiles before it takes the one that it is given.
  const home = await mkdtemp(join(tmpdir(), 'thingsync-firefox-'))
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: inject('firefox'),
    headless: true,
    // On a busy machine it needs more than a minute.
    timeout: 240_000,
    args: [...args],
    env: { PATH: process.env.PATH, HOME: home },
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB, en' },
  })
  onTestFinished(async () => {
    await browser.close()
    await rm(home, { recursive: true, force: true })
  })
  return browser
}

/**
 * Opens a page in a Firefox of its own. When the test is finished, it fails if a page complained of something else than
 * that there is no server.
 */
export const openFirefox = async (): Promise<Page> => {
  const browser = await launchFirefox()
  const complaints: string[] = []
  onTestFinished(() => expect(complaints.filter((text) => !expectedOffline.test(text))).toEqual([]))
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return page
}
