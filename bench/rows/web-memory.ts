import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { fillProfile, listPageProcesses, openWebApp, visitOffline, waitUntilRead } from '../browser/open-web-app.ts'
import type { Row } from '../row.ts'

const bytesPerMb = 1e6

/** Memory that only this process has, in MB. */
const readPrivate = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gmu)].reduce((sum, [, size]) => sum + Number(size), 0)
  return (kilobytes * 1024) / bytesPerMb
}

/** The largest of the processes that run pages. */
const readLargestPage = async (context: BrowserContext): Promise<number> => {
  const pages = await listPageProcesses(context)
  return Math.max(...(await Promise.all(pages.map(({ id }) => readPrivate(id)))))
}

const collectGarbage = () => (globalThis as { gc?: () => void }).gc?.()

const collectAll = async (page: Page): Promise<void> => {
  await page.evaluate(collectGarbage)
  for (const worker of page.workers()) await worker.evaluate(collectGarbage)
}

/** By then the engine has given back what it had only for reading; a page that is left open is in this state. */
const quietMilliseconds = 30_000

/** What an open app holds. */
export const webMemory: Row = {
  id: 'web-memory',
  work: 'web app: memory with 100,000 things, all read, after a search and after garbage collection',
  against: 'the process of an empty page',
  measured: 'MB that only the process of the page has, its search worker included',
  startsAnew: true,
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
      const floor = await app.visit(await bench.makeFolder(), async ({ context, page }) => {
        await page.goto('about:blank')
        return await readLargestPage(context)
      })
      const { soon, quiet } = await visitOffline(app, profile, async ({ context, page }) => {
        await waitUntilRead(page)
        await page.getByRole('searchbox').fill('paper')
        await waitUntilRead(page)
        await collectAll(page)
        // What was freed goes back to the system a little later.
        await page.waitForTimeout(2_000)
        await collectAll(page)
        const soon = await readLargestPage(context)
        await page.waitForTimeout(quietMilliseconds)
        return { soon, quiet: await readLargestPage(context) }
      })
      return {
        process: { value: quiet, candidate: quiet, floor },
        soon: { value: soon, candidate: soon, floor },
        more: { value: quiet - floor, candidate: quiet, floor },
      }
    }
    return { round, notes: [app.about] }
  },
}
