import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addLine, goOffline, goTo, listedItems, openSignedIn, openWebServer, seeTitles } from './web-app-page.ts'

/** A site of others, whose pages have the title "Page of PATH". Returns its base URL. */
const openSite = async (): Promise<string> => {
  const site = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Page of ${url}</title>`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void site.close())
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

test('a URL gets the title of its page, also when it was added offline, and until then its host and words', async () => {
  const site = await openSite()
  const { home } = await openWebServer(['--link-preview-allow', '127.0.0.1'])
  const { context, page } = await openSignedIn(home)

  await page.getByLabel('New item').fill(`${site}/one`)
  await page.getByLabel('New item').press('Enter')
  await listedItems(page).getByRole('link', { name: 'Page of /one', exact: true }).waitFor()
  await goOffline(page)
  await addLine(page, `${site}/some-words`, `${site.slice('http://'.length)} – some words`)
  await addLine(page, `${site}/kept My own words`, 'My own words')
  await context.setOffline(false)

  await seeTitles(page, ['My own words', 'Page of /one', 'Page of /some-words'])
  expect(await listedItems(page).count()).toBe(3)
})

test('missing titles of imported links are fetched with progress', async () => {
  const site = await openSite()
  const { home } = await openWebServer(['--link-preview-allow', '127.0.0.1'])
  const { page } = await openSignedIn(home)
  const links = [1, 2, 3].map((number) => `<DT><A HREF="${site}/${number}">${site}/${number}</A>`)
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${links.join('\n')}\n</DL><p>`

  await goTo(page, 'Import and export')
  await page
    .getByLabel('Files to import')
    .setInputFiles({ name: 'bookmarks.html', mimeType: 'text/html', buffer: Buffer.from(file) })
  await page.getByRole('button', { name: 'Import 3 items' }).click()
  await page.getByRole('button', { name: 'Fetch 3 titles' }).click()
  await page.getByRole('heading', { name: 'Missing titles' }).waitFor({ state: 'detached' })
  await goTo(page, 'Items')

  await seeTitles(page, ['Page of /1', 'Page of /2', 'Page of /3'])
})
