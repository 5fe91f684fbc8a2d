import { expect, test } from 'vitest'
import { openFileServer } from '../support/open-test-server.ts'
import { checkPage } from './check-page.ts'
import { openPage } from './open-page.ts'

const server = await openFileServer({ settings: { baseUrl: 'http://127.0.0.1:9/some/where/v1/' } })

test('below a path prefix the start page names the base URL and leads to the reference', async () => {
  const page = await openPage()
  await page.goto(new URL('/some/where/', server.baseUrl).href)

  await checkPage(page)
  const shown = await page.locator('main').innerText()
  await page.getByRole('link', { name: 'API reference' }).click()

  expect(shown).toContain('http://127.0.0.1:9/some/where/v1/')
  expect(new URL(page.url()).pathname).toBe('/some/where/docs')
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Thing synchronisation')
})
