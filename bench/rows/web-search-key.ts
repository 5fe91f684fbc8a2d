import { fillProfile, openWebApp, readPageCpu, visitOffline, waitUntilRead } from '../browser/open-web-app.ts'
import { findMedian } from '../report/median.ts'
import type { Row } from '../row.ts'

const typed = ['paper 42', '#letter -river', 'привет', 'zq nothing', 'is:open winter']

/** Runs in the page: types a text and tells of each key how long it took until the frame that shows what was found. */
const typeInPage = async (text: string): Promise<{ shown: number; whole: number }[]> => {
  const field = document.querySelector<HTMLInputElement>('#search')
  const section = document.querySelector<HTMLElement>('section.things')
  if (field === null || section === null) throw new Error('the page has no search')
  const until = (isIt: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isIt()) return
        watching.disconnect()
        requestAnimationFrame(() => resolve())
      }
      const watching = new MutationObserver(look)
      watching.observe(section, { attributes: true })
      look()
    })
  const enter = async (query: string) => {
    const begun = performance.now()
    field.value = query
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await until(() => section.dataset.shown === query)
    const shown = performance.now() - begun
    await until(() => section.ariaBusy === 'false')
    return { shown, whole: performance.now() - begun }
  }
  await enter('')
  const times = []
  for (let end = 1; end <= text.length; end++) times.push(await enter(text.slice(0, end)))
  return times
}

/** Each key of a search, from the key to the screen. */
export const webSearchKey: Row = {
  id: 'web-search-key',
  work: 'web app: a key typed into the search of 100,000 things',
  against: 'nothing',
  measured: 'ms from the key to the frame that shows what was found',
  startsAnew: true,
  opensWebApp: true,
  figures: {
    slowest: { title: 'slowest key', unit: 'ms', goal: { is: 'most', limit: 50 } },
    median: { title: 'median key', unit: 'ms', goal: { is: 'most', limit: 50 } },
    cpu: { title: 'processor time of the page and its worker, mean key', unit: 'ms' },
    whole: { title: 'slowest key, until all is found', unit: 'ms' },
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
