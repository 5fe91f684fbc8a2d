import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import {
  fillProfile,
  listPageProcesses,
  openWebApp,
  readPageCpu,
  signInToApp,
  visitOffline,
  waitUntilRead,
  waitUntilSeen,
} from '../browser/open-web-app.ts'
import { findMedian, findPercentile } from '../report/results.ts'
import { interleave, type Row } from '../row.ts'

/** The bytes that a browser loads before the app shows things for the first time. */
export const webFirstLoad: Row = {
  id: 'web-first-load',
  work: 'web app: scripts and styles of the first load, until things are on the screen',
  against: 'nothing',
  measured: 'KB of compressed bodies, those of the search worker included',
  restartsEachRound: true,
  opensWebApp: true,
  figures: { bytes: { title: 'scripts and styles', unit: 'KB', goal: { is: 'most', limit: 90 } } },
  open: async (bench) => {
    const app = await openWebApp(bench)
    const round = async () =>
      app.visit(await bench.createFolder(), async (visit) => {
        const sizes = new Map<string, number>()
        visit.context.on('response', async (response) => {
          // The service worker loads all files for the next start, in the background.
          if (response.request().serviceWorker() !== null) return
          const type = (await response.allHeaders())['content-type'] ?? ''
          if (!/javascript|css/u.test(type) || sizes.has(response.url())) return
          sizes.set(response.url(), Number((await response.allHeaders())['content-length']))
        })
        await signInToApp(visit.page, app.home)
        await waitUntilSeen(visit.page, 'first')
        const own = [...sizes].filter(([url]) => new URL(url).pathname.startsWith('/assets/'))
        return { bytes: { value: own.reduce((sum, [, size]) => sum + size, 0) / 1000 } }
      })
    return {
      round,
      notes: [
        app.about,
        'files of /assets/ that the page loads, without later files and the downloads of the service worker',
      ],
    }
  },
}

/** The first full sync of a browser with a large account. */
export const webFirstListing: Row = {
  id: 'web-first-listing',
  work: 'web app: first full sync of 100,000 things into IndexedDB, with the list and the search, from loading the page on',
  against: 'the same download with curl, and JSON.parse in Node',
  measured: 'ms',
  restartsEachRound: true,
  opensWebApp: true,
  figures: {
    listing: { title: 'everything is saved here', unit: 'x', goal: { is: 'most', limit: 4 } },
    first: { title: 'first things on the screen', unit: 'ms' },
  },
  open: async (bench) => {
    const app = await openWebApp(bench)
    const file = join(await bench.createFolder(), 'listing.json')
    const download = async () => {
      const begun = performance.now()
      const header = `authorization: Bearer ${app.token}`
      await promisify(execFile)('curl', ['-sSf', '-o', file, '-H', header, `${app.home}v1/sync`])
      JSON.parse(await readFile(file, 'utf8'))
      return performance.now() - begun
    }
    const list = async () =>
      app.visit(await bench.createFolder(), async (visit) => {
        await signInToApp(visit.page, app.home)
        return { first: await waitUntilSeen(visit.page, 'first'), saved: await waitUntilSeen(visit.page, 'saved') }
      })
    const round = async (index: number) => {
      const [baseline, { first, saved }] = await interleave(index, download, list)
      return { listing: { value: saved / baseline, candidate: saved, baseline }, first: { value: first } }
    }
    // The server opens the account.
    await download()
    return { round, notes: [app.about] }
  },
}

/** A new browser process opens the app without the network. */
export const webStartOffline: Row = {
  id: 'web-start-offline',
  work: 'web app: start offline with 100,000 things',
  against: 'nothing',
  measured: 'ms since the start of the navigation',
  restartsEachRound: true,
  opensWebApp: true,
  figures: {
    first: { title: 'first things on the screen', unit: 'ms', goal: { is: 'most', limit: 400 } },
    cpu: { title: 'CPU time of the page until then', unit: 'ms' },
    all: { title: 'all are read and can be searched', unit: 'ms' },
  },
  open: async (bench) => {
    const app = await openWebApp(bench)
    const profile = await fillProfile(bench, app)
    const round = () =>
      visitOffline(app, profile, async ({ context, page }) => {
        const first = await waitUntilSeen(page, 'first')
        const cpu = await readPageCpu(context)
        await waitUntilRead(page)
        return {
          first: { value: first },
          cpu: { value: cpu },
          all: { value: await page.evaluate(() => performance.now()) },
        }
      })
    return { round, notes: [app.about] }
  },
}

const typed = ['paper 42', '#letter -river', 'привет', 'zq nothing', 'is:open winter']

/** Runs in the page: types a text. Returns for each key the time in ms until the frame that shows the matches. */
const typeInPage = async (text: string): Promise<{ shown: number; whole: number }[]> => {
  const field = document.querySelector<HTMLInputElement>('#search')
  const section = document.querySelector<HTMLElement>('section.things')
  if (field === null || section === null) throw new Error('the page has no search')
  const waitUntil = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isTrue()) return
        observer.disconnect()
        requestAnimationFrame(() => resolve())
      }
      const observer = new MutationObserver(look)
      observer.observe(section, { attributes: true })
      look()
    })
  const enter = async (query: string) => {
    const begun = performance.now()
    field.value = query
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await waitUntil(() => section.dataset.shown === query)
    const shown = performance.now() - begun
    await waitUntil(() => section.ariaBusy === 'false')
    return { shown, whole: performance.now() - begun }
  }
  await enter('')
  const times = []
  for (let end = 1; end <= text.length; end++) times.push(await enter(text.slice(0, end)))
  return times
}

/** The time from each key of a search to its result on the screen. */
export const webSearchKey: Row = {
  id: 'web-search-key',
  work: 'web app: a key typed into the search of 100,000 things',
  against: 'nothing',
  measured: 'ms from the key to the frame that shows the matches',
  restartsEachRound: true,
  opensWebApp: true,
  figures: {
    slowest: { title: 'slowest key', unit: 'ms', goal: { is: 'most', limit: 50 } },
    median: { title: 'median key', unit: 'ms', goal: { is: 'most', limit: 50 } },
    cpu: { title: 'CPU time of the page and its worker, mean key', unit: 'ms' },
    whole: { title: 'slowest key, until all matches are found', unit: 'ms' },
  },
  open: async (bench) => {
    const app = await openWebApp(bench)
    const profile = await fillProfile(bench, app)
    const round = () =>
      visitOffline(app, profile, async ({ context, page }) => {
        await waitUntilRead(page)
        const times: { shown: number; whole: number }[] = []
        const before = await readPageCpu(context)
        for (const text of typed) times.push(...(await page.evaluate(typeInPage, text)))
        const cpu = (await readPageCpu(context)) - before
        const shown = times.map((time) => time.shown)
        return {
          slowest: { value: Math.max(...shown) },
          median: { value: findMedian(shown) },
          cpu: { value: cpu / times.length },
          whole: { value: Math.max(...times.map((time) => time.whole)) },
        }
      })
    const keys = typed.reduce((sum, text) => sum + text.length, 0)
    return { round, notes: [app.about, `${keys} keys: ${typed.join(' · ')}; a frame takes 17 ms`] }
  },
}

/** Runs in the page: scrolls a screen in each frame, and sometimes far away. Returns the time of each frame in ms. */
const scrollInPage = async (): Promise<number[]> => {
  const frames: number[] = []
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  let last = await nextFrame()
  for (let count = 0; count < 300; count++) {
    if (count % 50 === 49) scrollTo({ top: (document.body.scrollHeight * count) / 300, behavior: 'instant' })
    else scrollBy({ top: 600, behavior: 'instant' })
    const now = await nextFrame()
    frames.push(now - last)
    last = now
  }
  return frames
}

/** The times between frames while a user scrolls through all things. */
export const webScroll: Row = {
  id: 'web-scroll',
  work: 'web app: scrolling through 100,000 things',
  against: 'nothing',
  measured: 'ms between two frames',
  restartsEachRound: true,
  opensWebApp: true,
  figures: {
    longest: { title: 'longest of 300 frames', unit: 'ms', goal: { is: 'most', limit: 50 } },
    max: { title: '95 of 100 frames are shorter', unit: 'ms' },
  },
  open: async (bench) => {
    const app = await openWebApp(bench)
    const profile = await fillProfile(bench, app)
    const round = () =>
      visitOffline(app, profile, async ({ page }) => {
        await waitUntilRead(page)
        const frames = await page.evaluate(scrollInPage)
        return { longest: { value: Math.max(...frames) }, max: { value: findPercentile(frames, 0.95) } }
      })
    return { round, notes: [app.about, '600 pixels in each frame, and six times to another offset'] }
  },
}

const bytesPerMb = 1e6

/** Reads the private memory of a process in MB. */
const readPrivate = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gmu)].reduce((sum, [, size]) => sum + Number(size), 0)
  return (kilobytes * 1024) / bytesPerMb
}

/** Reads the private memory of the largest renderer process in MB. */
const readLargestPage = async (context: BrowserContext): Promise<number> => {
  const pages = await listPageProcesses(context)
  return Math.max(...(await Promise.all(pages.map(({ id }) => readPrivate(id)))))
}

const collectGarbage = () => (globalThis as { gc?: () => void }).gc?.()

const collectAll = async (page: Page): Promise<void> => {
  await page.evaluate(collectGarbage)
  for (const worker of page.workers()) await worker.evaluate(collectGarbage)
}

/** After this time the engine has freed the memory that it needed only for reading, as in a page that stays open. */
const quietMilliseconds = 30_000

/** The memory of an open app. */
export const webMemory: Row = {
  id: 'web-memory',
  work: 'web app: memory with 100,000 things, all read, after a search and after garbage collection',
  against: 'the process of an empty page',
  measured: 'MB that only the process of the page has, its search worker included',
  restartsEachRound: true,
  opensWebApp: true,
  figures: {
    process: { title: 'the whole process, after half a minute of quiet', unit: 'MB', goal: { is: 'most', limit: 150 } },
    soon: { title: 'the same, after two seconds', unit: 'MB' },
    more: { title: 'more than an empty page', unit: 'MB' },
  },
  open: async (bench) => {
    const app = await openWebApp(bench)
    const profile = await fillProfile(bench, app)
    const round = async () => {
      const baseline = await app.visit(await bench.createFolder(), async ({ context, page }) => {
        await page.goto('about:blank')
        return await readLargestPage(context)
      })
      const { soon, quiet } = await visitOffline(app, profile, async ({ context, page }) => {
        await waitUntilRead(page)
        await page.getByRole('searchbox').fill('paper')
        await waitUntilRead(page)
        await collectAll(page)
        // The engine returns freed memory to the system a little later.
        await page.waitForTimeout(2_000)
        await collectAll(page)
        const soon = await readLargestPage(context)
        await page.waitForTimeout(quietMilliseconds)
        return { soon, quiet: await readLargestPage(context) }
      })
      return {
        process: { value: quiet, candidate: quiet, baseline },
        soon: { value: soon, candidate: soon, baseline },
        more: { value: quiet - baseline, candidate: quiet, baseline },
      }
    }
    return { round, notes: [app.about] }
  },
}

/** How much slower the page's processor is than this machine's. */
const slowdown = 6

interface Waited {
  begun: number
  shown: number
}

/** Runs in the page: notes when the next input event of a type came, and the frame that then shows the selector. */
const watchInput = ({ type, shows }: { type: string; shows: string }) => {
  const waited: Partial<Waited> = {}
  Object.assign(globalThis, { waitedByBench: waited })
  const look = () => {
    if (waited.begun === undefined || document.querySelector(shows) === null) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => Object.assign(waited, { shown: performance.now() })))
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { subtree: true, childList: true, attributes: true })
  addEventListener(type, ({ timeStamp }) => Object.assign(waited, { begun: timeStamp }), { capture: true, once: true })
}

/** Returns the time in ms from an input event to the frame that shows the selector. `act` causes the event. */
const timeInput = async (page: Page, watched: { type: string; shows: string }, act: () => Promise<void>) => {
  await page.evaluate(watchInput, watched)
  await act()
  const handle = await page.waitForFunction(
    () => {
      const { waitedByBench } = globalThis as { waitedByBench?: Partial<Waited> }
      return waitedByBench?.shown === undefined ? undefined : waitedByBench
    },
    undefined,
    { timeout: 120_000, polling: 50 },
  )
  const { begun, shown } = (await handle.jsonValue()) as Waited
  return shown - begun
}

/** What a person waits for on a slow phone. */
export const webSlowPhone: Row = {
  id: 'web-slow-phone',
  work: `web app: 5,000 things on a phone whose processor is ${slowdown} times slower`,
  against: 'nothing',
  measured: 'ms',
  restartsEachRound: true,
  opensWebApp: true,
  figures: {
    first: { title: 'from signing in to the first row', unit: 'ms', goal: { is: 'most', limit: 1_500 } },
    add: { title: 'from Enter to the row that was added, median of 5', unit: 'ms', goal: { is: 'most', limit: 150 } },
    open: { title: 'from a tap on a row to the open item, median of 5', unit: 'ms', goal: { is: 'most', limit: 200 } },
  },
  open: async (bench) => {
    const app = await openWebApp(bench, { things: 5_000, isPhone: true })
    let added = 0
    const round = async () =>
      app.visit(await bench.createFolder(), async ({ context, page }) => {
        const session = await context.newCDPSession(page)
        await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
        // The service worker stores the app while the user types the password.
        await page.goto(app.home)
        await page.evaluate(async () => void (await navigator.serviceWorker.ready))
        const pressed = await signInToApp(page, app.home)
        const seen = await waitUntilSeen(page, 'first')
        const first = (await page.evaluate(() => performance.timeOrigin)) + seen - pressed
        await waitUntilSeen(page, 'saved')
        await waitUntilRead(page)
        const adds = []
        const opens = []
        for (let count = 0; count < 5; count++) {
          const name = `bench-${added++}`
          await page.getByRole('button', { name: 'Add', exact: true }).click()
          await page.locator('#add').fill(`See ${name} #${name}`)
          const row = { type: 'keydown', shows: `.windowed [href*="${name}"]` }
          adds.push(await timeInput(page, row, () => page.locator('#add').press('Enter')))
          await page.keyboard.press('Escape')
          const item = { type: 'click', shows: '.reading h1' }
          const title = page.locator('.windowed').getByText(`See ${name}`, { exact: true })
          opens.push(await timeInput(page, item, () => title.click()))
          await page.goBack()
          await title.waitFor()
        }
        return { first: { value: first }, add: { value: findMedian(adds) }, open: { value: findMedian(opens) } }
      })
    return { round, notes: [app.about, 'workers and the server are not slowed down'] }
  },
}
