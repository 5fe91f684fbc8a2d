import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openFileServer } from '../support/open-test-server.ts'
import { checkPage } from './check-page.ts'
import { type FurnishedPage, furnish, signInContext } from './furnish.ts'
import { openBrowser, type Window } from './open-page.ts'
import { walkByKeyboard } from './walk-by-keyboard.ts'

const server = await openFileServer({ settings: { openRegistration: true } })
// `/docs` is large: its own file looks at it.
const pages = (await furnish(server)).filter(({ name }) => name !== 'docs')

/** Opens a page, and makes sure that it is that page and not the sign-in page. */
const open = async ({ name, path, isSignedIn }: FurnishedPage, window?: Window): Promise<Page> => {
  const context = await openBrowser(window)
  if (isSignedIn) await signInContext(context, server)
  const page = await context.newPage()
  await page.goto(new URL(path, server.baseUrl).href)
  const heading = await page.getByRole('heading', { level: 1 }).innerText()
  const { pathname, search } = new URL(page.url())
  const isSignIn = name.startsWith('sign-in')
  expect([name, `${pathname}${search}`, heading === 'Sign in']).toEqual([name, path, isSignIn])
  return page
}

test.each(pages)(
  'everybody can use the page $name',
  async (shown) => {
    const page = await open(shown)

    await walkByKeyboard(page)
    await checkPage(page)
  },
  300_000,
)

// The page says so where only a script can send a request: `docs.test.ts`.
test.each(pages.filter(({ name }) => name !== 'docs-try'))(
  'the page $name is there without JavaScript',
  async (shown) => {
    const page = await open(shown, { width: 360, script: false })

    // The scripts that add buttons are the only ones.
    expect(await page.locator('script:not([src="/copy.js"], [src="/show-password.js"])').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^(Copy|Show)/ }).count()).toBe(0)
  },
)
