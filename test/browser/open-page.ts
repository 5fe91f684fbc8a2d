import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'

/** How a browser window is, for one test. */
export interface Window {
  /** In CSS pixels; 1024 by default, in which the app shows one screen at a time. */
  readonly width?: number
  /** In CSS pixels; 800 by default. */
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** Whether the screen feels fingers; it does not by default. */
  readonly hasTouch?: boolean
  /** Whether pages may run scripts; they may by default. */
  readonly script?: boolean
  /** What the browser will complain of, because the test makes it so. */
  readonly expected?: RegExp
  /** Whether it takes certificates that nobody has signed; it does not by default. */
  readonly ignoresCertificates?: boolean
}

/** Chromium says so of every page whose status is no success; which status it was is what tests look at. */
const ownStatus = /^Failed to load resource: the server responded with a status of 4\d\d/

/** Watches a browser from now on; what it gives fails if the browser complained of something that is not expected. */
export const watchComplaints = (context: BrowserContext, expected?: RegExp): (() => void) => {
  const complaints: string[] = []
  const note = (text: string) => {
    if (!ownStatus.test(text) && expected?.test(text) !== true) complaints.push(text)
  }
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(message.text())
  })
  context.on('weberror', (error) => note(error.error().message))
  // Errors of scripts, and whatever the Content-Security-Policy kept back.
  return () => expect(complaints).toEqual([])
}

/**
 * Opens a browser of its own, like the browser of another user. It is closed when the test is finished, which fails if
 * it complained.
 */
export const openBrowser = async ({
  width = 1024,
  height = 800,
  scheme = 'light',
  hasTouch = false,
  script = true,
  expected,
  ignoresCertificates = false,
}: Window = {}): Promise<BrowserContext> => {
  const browser = await chromium.connect(inject('browserAddress'))
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    hasTouch,
    javaScriptEnabled: script,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: ignoresCertificates,
  })
  // Nothing waits so long on a quiet machine; on one with much else to do, it has been more than 15 s.
  context.setDefaultTimeout(60_000)
  const expectNoComplaints = watchComplaints(context, expected)
  onTestFinished(async () => {
    await context.close()
    await browser.close()
    expectNoComplaints()
  })
  return context
}

/** A window with one page. */
export const openPage = async (window: Window = {}): Promise<Page> => (await openBrowser(window)).newPage()
