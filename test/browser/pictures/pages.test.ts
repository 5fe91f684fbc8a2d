import { test } from 'vitest'
import { openFileServer } from '../../support/open-test-server.ts'
import { furnish, signInContext } from '../furnish.ts'
import { openBrowser } from '../open-page.ts'
import { savePicture } from '../save-picture.ts'

/** Like a phone, and like a small laptop; the one in the dark, so that both schemes are seen. */
const looks = [
  { look: 'small-dark', width: 360, height: 640, scheme: 'dark' },
  { look: 'large-light', width: 960, height: 600, scheme: 'light' },
] as const

const server = await openFileServer({ settings: { openRegistration: true } })
const pages = await furnish(server)

test.each(looks)(
  'pictures of all pages, $look',
  async ({ look, width, height, scheme }) => {
    const [anonymous, admin] = [await openBrowser({ width, scheme }), await openBrowser({ width, scheme })]
    await signInContext(admin, server)
    for (const { name, path, isSignedIn } of pages) {
      const page = await (isSignedIn ? admin : anonymous).newPage()
      await page.setViewportSize({ width, height })
      await page.goto(new URL(path, server.baseUrl).href)
      const png = await page.screenshot()
      await savePicture(`${name}-${look}.png`, [{ png, milliseconds: 0 }])
      await page.close()
    }
  },
  300_000,
)
