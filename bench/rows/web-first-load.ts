import { openWebApp, signInToApp, waitUntilSeen } from '../browser/open-web-app.ts'
import type { Row } from '../row.ts'

/** What comes over the wire before a person sees their things for the first time. */
export const webFirstLoad: Row = {
  id: 'web-first-load',
  work: 'web app: scripts and styles of the first load, until things are on the screen',
  against: 'nothing',
  measured: 'KB of compressed bodies, those of the search worker included',
  startsAnew: true,
  opensWebApp: true,
  figures: { bytes: { title: 'scripts and styles', unit: 'KB', goal: { is: 'most', limit: 90 } } },
  open: async (bench) => {
    const app = await openWebApp(bench)
    const round = async () =>
      app.visit(await bench.makeFolder(), async (visit) => {
        const sizes = new Map<string, number>()
        visit.context.on('response', async (response) => {
          // It keeps all files for the next start, behind whatever the page does.
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
        'files of /assets/ that the page asked for, so without what is loaded later, and what the service worker keeps',
      ],
    }
  },
}
