import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { bundleForBrowser } from '../support/bundle-for-browser.ts'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import type { LivePage, PageStart } from './live-page.ts'
import { openPage } from './open-page.ts'

const script = await bundleForBrowser(fileURLToPath(new URL('.', import.meta.url)), 'live-page.ts')
const html = '<!doctype html><html lang="en"><title>Things</title><p id="state"></p><p id="things"></p>'

/** Serves the page from an origin of its own, as an application is; gives that. */
const servePage = async (): Promise<string> => {
  const listener = createServer((request, response) => {
    const isScript = request.url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    if (request.url === '/favicon.ico') response.writeHead(204).end()
    else response.end(isScript ? script : `${html}<script type="module" src="/app.js"></script>`)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    listener.closeAllConnections()
    listener.close()
  })
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
}

const openLivePage = async (origin: string, start: PageStart): Promise<Page> => {
  // While the server is down Chromium says so of each request.
  const page = await openPage({
    expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY|ERR_CONNECTION_RESET/,
  })
  await begin(page, origin, start)
  return page
}
const begin = async (page: Page, origin: string, start: PageStart): Promise<void> => {
  await page.goto(origin)
  await page.evaluate(
    (told) => (globalThis as unknown as { begin: (s: PageStart) => Promise<void> }).begin(told),
    start,
  )
}
const add = (page: Page, title: string) =>
  page.evaluate((text) => (globalThis as unknown as { livePage: LivePage }).livePage.add(text), title)
const state = (page: Page, text: string) => page.locator('#state').getByText(text, { exact: true }).waitFor()
const things = (page: Page, titles: string) => page.locator('#things').getByText(titles, { exact: true }).waitFor()

/** How long a change takes from one page to the other, in milliseconds. */
const time = async (from: Page, to: Page, title: string, titles: string): Promise<number> => {
  const begunAt = performance.now()
  await add(from, title)
  await things(to, titles)
  return Math.round(performance.now() - begunAt)
}

const enroll = async () => {
  const data = await createTemporaryFolder()
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  const { stdout } = await runCli(['app', 'add', 'tests', '--format', 'json', '--data', data])
  const app = JSON.parse(stdout)
  return { data, clientId: String(app.client_id), clientSecret: String(app.client_secret) }
}

test('two pages see each other’s changes by events, also after the server was restarted, and keep them', async () => {
  const { data, clientId, clientSecret } = await enroll()
  const origin = await servePage()
  const server = await startCliServer(data, ['--cors-origins', origin])
  const start = { baseUrl: server.baseUrl, clientId, clientSecret, username: 'anna', isLive: true }
  const phone = await openLivePage(origin, start)
  const laptop = await openLivePage(origin, start)
  await state(phone, 'live 0')
  await state(laptop, 'live 0')

  const took = [await time(phone, laptop, 'a', 'a'), await time(laptop, phone, 'b', 'a, b')]
  await server.stop()
  await state(phone, 'offline 0')
  await state(laptop, 'offline 0')
  await add(phone, 'c')
  await state(phone, 'offline 1')
  await startCliServer(data, ['--cors-origins', origin, '--port', new URL(server.baseUrl).port])
  await things(laptop, 'a, b, c')
  await state(phone, 'live 0')
  await state(laptop, 'live 0')
  took.push(await time(phone, laptop, 'd', 'a, b, c, d'), await time(laptop, phone, 'e', 'a, b, c, d, e'))
  await begin(phone, origin, { ...start, isLive: false })

  // Printed and not checked: machines that run tests are slow at times. Without events nothing would come for a day.
  console.log(`a change is on the other page after ${took.join(', ')} ms`)
  await things(phone, 'a, b, c, d, e')
})

test('a browser without room says so, and what was kept before is there', async () => {
  const origin = await servePage()
  const start = { baseUrl: `${origin}/v1/`, clientId: '', clientSecret: '', username: '', isLive: false }
  const page = await openPage()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 3_000_000 })
  await begin(page, origin, start)
  await add(page, 'kept')

  const said = await page.evaluate(() => (globalThis as unknown as { livePage: LivePage }).livePage.fill())
  await begin(page, origin, start)

  expect(said).toBe('store_full')
  await things(page, 'kept')
})
