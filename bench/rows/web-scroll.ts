import { fillProfile, openWebApp, visitOffline, waitUntilRead } from '../browser/open-web-app.ts'
import { findPercentile } from '../report/median.ts'
import type { Row } from '../row.ts'

/** Runs in the page: scrolls, a screen in each frame and now and then far away, and gives what each frame took. */
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

/** What a person sees who scrolls through everything. */
export const webScroll: Row = {
  id: 'web-scroll',
  work: 'web app: scrolling through 100,000 things',
  against: 'nothing',
  measured: 'ms between two frames',
  startsAnew: true,
  opensWebApp: true,
  figures: {
    longest: { title: 'longest of 300 frames', unit: 'ms', goal: { is: 'most', limit: 50 } },
    most: { title: '95 of 100 frames are shorter', unit: 'ms' },
  },
  open: async (bench) => {
    const app = await openWebApp(bench)
    const profile = await fillProfile(bench, app)
    const round = () =>
      visitOffline(app, profile, async ({ page }) => {
        await waitUntilRead(page)
        const frames = await page.evaluate(scrollInPage)
        return { longest: { value: Math.max(...frames) }, most: { value: findPercentile(frames, 0.95) } }
      })
    return { round, notes: [app.about, '600 pixels in each frame, and six times to another place'] }
  },
}
