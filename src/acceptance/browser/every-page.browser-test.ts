import { expect, test } from 'vitest'
import { openFileServer } from '../open-test-server.ts'
import { furnish, signInContext } from './furnish.ts'
import { judgePage } from './judge-page.ts'
import { openBrowser } from './open-page.ts'
import { walkByKeyboard } from './walk-by-keyboard.ts'

const server = await openFileServer({ settings: { openRegistration: true } })
// `/docs` is large: its own file looks at it.
const pages = (await furnish(server)).filter(({ name }) => name !== 'docs')

test.each(pages)(
  'everybody can use the page $name',
  async ({ path, isSignedIn }) => {
    const context = await openBrowser()
    if (isSignedIn) await signInContext(context, server)
    const page = await context.newPage()
    await page.goto(new URL(path, server.baseUrl).href)

    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await walkByKeyboard(page)
    await judgePage(page)
  },
  60_000,
)

test.each(pages)('the page $name is there without JavaScript', async ({ path, isSignedIn }) => {
  const context = await openBrowser({ width: 360, script: false })
  if (isSignedIn) await signInContext(context, server)
  const page = await context.newPage()

  await page.goto(new URL(path, server.baseUrl).href)

  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.locator('script').count()).toBe(0)
})
