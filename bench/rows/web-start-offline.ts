import {
  fillProfile,
  openWebApp,
  readPageCpu,
  visitOffline,
  waitUntilRead,
  waitUntilSeen,
} from '../browser/open-web-app.ts'
import type { Row } from '../row.ts'

/** A browser that was just started opens the app without the network. */
export const webStartOffline: Row = {
  id: 'web-start-offline',
  work: 'web app: start offline with 100,000 things',
  against: 'nothing',
  measured: 'ms since the page was asked for',
  startsAnew: true,
  opensWebApp: true,
  figures: {
    first: { title: 'first things on the screen', unit: 'ms', goal: { is: 'most', limit: 1_000 } },
    cpu: { title: 'processor time of the page until then', unit: 'ms' },
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
