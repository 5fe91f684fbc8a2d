import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium as find } from '../../test/support/find-chromium.ts'
import type { Bench, OpenAccount } from '../bench.ts'
import { password } from '../candidate/accounts.ts'
import { RowUnavailable } from '../row.ts'

/** Finds Chromium: the program that `CHROMIUM` names, or the system's. @throws RowUnavailable when there is none */
const findChromium = (): string => {
  const found = find(process.env.CHROMIUM)
  if (found === undefined) {
    throw new RowUnavailable('Chromium is missing: apt-get install chromium, or name its program in CHROMIUM')
  }
  return found
}

/** The number of things that the goals of the web app are for, also in a quick run. */
const thingCount = 100_000

/** A browser with a profile on the disk, as users have it. */
interface Visit {
  readonly context: BrowserContext
  readonly page: Page
}

/** The web app on a server with one account of many things. */
interface WebApp extends OpenAccount {
  readonly home: string
  /** The note of every row of the web app: browser, profile and number of things. */
  readonly about: string
  /** Opens a browser on a profile, runs `work`, and closes the browser. */
  readonly visit: <T>(profile: string, work: (visit: Visit) => Promise<T>) => Promise<T>
}

/** When the page first showed things (`first`) and the saved state (`saved`), in ms since the navigation started. */
interface Seen {
  readonly first?: number
  readonly saved?: number
}

const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']

/** Runs in each page before its own scripts. */
const watchPage = () => {
  const seen: { first?: number; saved?: number } = {}
  Object.assign(globalThis, { seenByBench: seen })
  const look = () => {
    if (document.querySelector('.windowed .title') !== null) seen.first ??= performance.now()
    const state = document.querySelector('.state')?.textContent ?? ''
    if (state.includes('Everything is saved here and on the server.')) seen.saved ??= performance.now()
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
}

/** What a row opens other than the usual: the number of things, and a phone instead of a desktop. */
interface Opened {
  readonly things?: number
  readonly isPhone?: boolean
}

const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Opens an account on a server that serves the web app. @throws RowUnavailable when Chromium is missing */
export const openWebApp = async (
  bench: Bench,
  { things = thingCount, isPhone = false }: Opened = {},
): Promise<WebApp> => {
  const executablePath = findChromium()
  const { stdout } = await promisify(execFile)(executablePath, ['--version'])
  const [browser = ''] = /^\S+ [\d.]+/u.exec(stdout) ?? []
  const account = await bench.openAccount(things, { servesWeb: true })
  return {
    ...account,
    about: `${browser}, headless, a profile on the disk, ${things.toLocaleString('en')} things of about 300 bytes`,
    home: `http://127.0.0.1:${account.port}/`,
    visit: async (profile, work) => {
      const context = await chromium.launchPersistentContext(profile, {
        executablePath,
        args: [...flags, '--js-flags=--expose-gc'],
        locale: 'en-GB',
        ...(isPhone ? phone : desktop),
        handleSIGINT: false,
        handleSIGTERM: false,
      })
      try {
        // tsx names functions by a helper function, which does not exist in pages.
        await context.addInitScript({ content: 'globalThis.__name ??= (named) => named' })
        await context.addInitScript(watchPage)
        const [page] = context.pages()
        return await work({ context, page: page ?? (await context.newPage()) })
      } finally {
        await context.close()
      }
    },
  }
}

/**
 * Signs in through the server's pages. The app then loads again and begins its first full sync. Returns the time of the
 * press of the button, in ms since the epoch.
 */
export const signInToApp = async (page: Page, home: string): Promise<number> => {
  await page.goto(home)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('User name').fill('user-0')
  await page.getByLabel('Password', { exact: true }).fill(password)
  const pressed = Date.now()
  await page.getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true })
  await page.waitForURL((url) => url.href.startsWith(home) && url.pathname === '/')
  return pressed
}

/** Waits for a state of the page, and returns its time in ms since the start of the navigation. */
export const waitUntilSeen = async (page: Page, what: keyof Seen): Promise<number> => {
  const handle = await page.waitForFunction(
    (name) => (globalThis as { seenByBench?: Seen }).seenByBench?.[name],
    what,
    { timeout: 120_000, polling: 50 },
  )
  return (await handle.jsonValue()) ?? Number.NaN
}

/** Waits until the app has read all things, and the list shows the result of the query. */
export const waitUntilRead = (page: Page) =>
  page.locator('section.things[aria-busy="false"]').waitFor({ state: 'attached', timeout: 120_000 })

/** Creates a profile with a signed-in user and a completed full sync: the app works offline on it. */
export const fillProfile = async (bench: Bench, app: WebApp): Promise<string> => {
  const profile = await bench.createFolder()
  bench.say('first full sync into a profile')
  await app.visit(profile, async (visit) => {
    await signInToApp(visit.page, app.home)
    await waitUntilSeen(visit.page, 'saved')
    await visit.page.evaluate(async () => void (await navigator.serviceWorker.ready))
  })
  return profile
}

/** Opens the app offline on a filled profile (`fillProfile`), and runs `work`. */
export const visitOffline = <T>(app: WebApp, profile: string, work: (visit: Visit) => Promise<T>): Promise<T> =>
  app.visit(profile, async (visit) => {
    await visit.context.setOffline(true)
    await visit.page.goto(app.home)
    return await work(visit)
  })

interface ProcessInfo {
  readonly type: string
  readonly id: number
  /** In seconds. */
  readonly cpuTime: number
}

/** Lists the renderer processes of the browser. */
export const listPageProcesses = async (context: BrowserContext): Promise<readonly ProcessInfo[]> => {
  const session = await context.browser()?.newBrowserCDPSession()
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] }
  return processInfo.filter(({ type }) => type === 'renderer')
}

/** Returns the CPU time of all pages so far, in ms: the steadier figure under other load on the machine. */
export const readPageCpu = async (context: BrowserContext): Promise<number> =>
  (await listPageProcesses(context)).reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0)
