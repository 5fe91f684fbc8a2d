import { expect, test } from 'vitest'
import { openFileServer } from '../support/open-test-server.ts'
import { judgePage } from './judge-page.ts'
import { openPage } from './open-page.ts'

const server = await openFileServer({ settings: { baseUrl: 'http://127.0.0.1:9/some/where/v1/' } })

test('below a path prefix the start page names the base address and leads to the reference', async () => {
  const page = await openPage()
  await page.goto(new URL('/some/where/', server.baseUrl).href)

  await judgePage(page)
  const shown = await page.locator('main').innerText()
  await page.getByRole('link', { name: 'API reference' }).click()

  expect(shown).toContain('http://127.0.0.1:9/some/where/v1/')
  expect(new URL(page.url()).pathname).toBe('/some/where/docs')
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Thing synchronisation')
})
