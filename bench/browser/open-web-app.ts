import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium as find } from '../../test/support/find-chromium.ts'
import type { Bench, OpenAccount } from '../bench.ts'
import { password } from '../candidate/accounts.ts'
import { RowUnavailable } from '../row.ts'

/** The program of Chromium: the one that `CHROMIUM` names, or where systems have it. @throws RowUnavailable */
const findChromium = (): string => {
  const found = find(process.env.CHROMIUM)
  if (found === undefined) {
    throw new RowUnavailable('Chromium is missing: apt-get install chromium, or name its program in CHROMIUM')
  }
  return found
}

/** What the goals of the web app are about, also in a quick run. */
const thingCount = 100_000

/** A browser with a profile on the disk, as people have it. */
interface Visit {
  readonly context: BrowserContext
  readonly page: Page
}

/** The web app on a server whose one account has many things. */
interface WebApp extends OpenAccount {
  readonly home: string
  /** What the notes of every row of the web app say. */
  readonly about: string
  /** Opens a browser on a profile, works with it, and closes it. */
  readonly visit: <T>(profile: string, work: (visit: Visit) => Promise<T>) => Promise<T>
}

/** When something was first seen by the page, in ms since it was asked for. */
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

/** Opens it. @throws RowUnavailable where there is no Chromium */
export const openWebApp = async (bench: Bench): Promise<WebApp> => {
  const executablePath = findChromium()
  const { stdout } = await promisify(execFile)(executablePath, ['--version'])
  const [browser = ''] = /^\S+ [\d.]+/u.exec(stdout) ?? []
  const account = await bench.openAccount(thingCount, { servesWeb: true })
  return {
    ...account,
    about: `${browser}, headless, a profile on the disk, ${thingCount.toLocaleString('en')} things of about 300 bytes`,
    home: `http://127.0.0.1:${account.port}/`,
    visit: async (profile, work) => {
      const context = await chromium.launchPersistentContext(profile, {
        executablePath,
        args: [...flags, '--js-flags=--expose-gc'],
        locale: 'en-GB',
        viewport: { width: 1280, height: 800 },
        handleSIGINT: false,
        handleSIGTERM: false,
      })
      try {
        // What runs this program gives functions their names by a function of its own, which pages do not have.
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

/** Signs in through the server's pages; the app is loaded anew and begins its first listing. */
export const signInToApp = async (page: Page, home: string): Promise<void> => {
  await page.goto(home)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('User name').fill('user-0')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true })
  await page.waitForURL((url) => url.href.startsWith(home) && url.pathname === '/')
}

/** Waits until the page has seen it, and tells when. */
export const waitUntilSeen = async (page: Page, what: keyof Seen): Promise<number> => {
  const handle = await page.waitForFunction(
    (name) => (globalThis as { seenByBench?: Seen }).seenByBench?.[name],
    what,
    { timeout: 120_000, polling: 50 },
  )
  return (await handle.jsonValue()) ?? Number.NaN
}

/** Waits until all things are read, and the list shows what was asked for. */
export const waitUntilRead = (page: Page) =>
  page.locator('section.things[aria-busy="false"]').waitFor({ state: 'attached', timeout: 120_000 })

/** A profile in which somebody has signed in and everything was listed; the app works offline. */
export const fillProfile = async (bench: Bench, app: WebApp): Promise<string> => {
  const profile = await bench.createFolder()
  bench.say('first listing into a profile')
  await app.visit(profile, async (visit) => {
    await signInToApp(visit.page, app.home)
    await waitUntilSeen(visit.page, 'saved')
    await visit.page.evaluate(async () => void (await navigator.serviceWorker.ready))
  })
  return profile
}

/** Opens the app offline on a profile that has everything. */
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

/** The processes that run pages. */
export const listPageProcesses = async (context: BrowserContext): Promise<readonly ProcessInfo[]> => {
  const session = await context.browser()?.newBrowserCDPSession()
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] }
  return processInfo.filter(({ type }) => type === 'renderer')
}

/** Processor time of all pages so far, in ms: the steadier figure where others use the machine. */
export const readPageCpu = async (context: BrowserContext): Promise<number> =>
  (await listPageProcesses(context)).reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0)
