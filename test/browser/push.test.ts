import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { createClient, createMemoryTokenStorage } from '../../client/src/index.ts'
import { bundleForBrowser } from '../support/bundle-for-browser.ts'
import { openServerAsReceiver } from '../support/outbound-receiver.ts'
import { openPushService } from '../support/push-service.ts'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import { openPushBrowser } from './open-push-browser.ts'
import type { PushPage, PushPageStart } from './push-page.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const scripts = new Map([
  ['/app.js', await bundleForBrowser(folder, 'push-page.ts')],
  ['/worker.js', await bundleForBrowser(folder, 'push-worker.ts')],
])
const html = '<!doctype html><html lang="en"><title>Things</title><p id="report"></p>'

/** Serves the page and its worker from an origin of their own, as an application is; gives that. */
const servePage = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://app')
    const script = scripts.get(pathname)
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    if (pathname === '/favicon.ico') response.writeHead(204).end()
    else response.end(script ?? `${html}<script type="module" src="/app.js"></script>`)
  })
  return `http://127.0.0.1:${(await openServerAsReceiver(server)).port}`
}

/** A server that may push to this machine, and an app on an origin of its own. */
const openServer = async () => {
  const [origin, data] = [await servePage(), await createTemporaryFolder()]
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  const { stdout } = await runCli(['app', 'add', 'tests', '--format', 'json', '--data', data])
  const { client_id: clientId, client_secret: clientSecret } = JSON.parse(stdout)
  const { baseUrl } = await startCliServer(data, ['--cors-origins', origin, '--delivery-allow', '127.0.0.1'])
  return { origin, start: { baseUrl, clientId, clientSecret, username: 'anna' } }
}

const openPushPage = async (context: BrowserContext, origin: string, start: PushPageStart): Promise<Page> => {
  await context.grantPermissions(['notifications'], { origin })
  const page = await context.newPage()
  await page.goto(origin)
  await page.evaluate(
    (told) => (globalThis as unknown as { begin: (s: PushPageStart) => Promise<void> }).begin(told),
    start,
  )
  return page
}
const call = <Name extends keyof PushPage>(page: Page, name: Name, ...given: Parameters<PushPage[Name]>) =>
  page.evaluate(
    ([called, values]) => {
      const { pushPage } = globalThis as unknown as { pushPage: Record<string, (...all: unknown[]) => unknown> }
      return pushPage[called]?.(...values)
    },
    [name, given] as const,
  ) as ReturnType<PushPage[Name]>

/** Gives the page's worker a message as the browser does when it has decrypted one. */
const deliver = async (page: Page, origin: string, data: string): Promise<void> => {
  const devtools = await page.context().newCDPSession(page)
  const found = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { scopeURL, registrationId } of registrations) if (scopeURL === `${origin}/`) resolve(registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await found, data })
}

test('Chromium subscribes with the key of the server, which takes what it gives', async () => {
  const { origin, start } = await openServer()
  const { context, requested } = await openPushBrowser()
  const page = await openPushPage(context, origin, start)

  const key = (await call(page, 'getKey')) ?? ''
  const given = await call(page, 'subscribe', key)
  if (typeof given === 'string') throw new Error(`Chromium rejected the key: ${given}`)
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = given
  const registered = await call(page, 'register', 'chromium', endpoint, p256dh, auth)

  expect(requested).toEqual([{ origin, key }])
  // The host is one of its maker's, another one in each build.
  expect(endpoint).toMatch(/^https:\/\/[\w.-]+\/fcm\/send\/of-the-test$/)
  expect(registered).toEqual({ registered: true })
})

// Chromium looks at the length and at the first byte only; whether it is a point its push service has to find out.
test('Chromium rejects bytes that are no key, and does not call its push service', async () => {
  const { origin, start } = await openServer()
  const { context, requested } = await openPushBrowser()
  const page = await openPushPage(context, origin, start)
  const key = Buffer.from((await call(page, 'getKey')) ?? '', 'base64url')
  const wrong = [Buffer.concat([Buffer.of(5), key.subarray(1)]), key.subarray(0, 64), key.subarray(0, 33)]

  const given: unknown[] = []
  for (const bytes of wrong) given.push(await call(page, 'subscribe', bytes.toString('base64url')))

  expect(key).toHaveLength(65)
  expect(given).toEqual(['InvalidAccessError', 'InvalidAccessError', 'InvalidAccessError'])
  expect(requested).toEqual([])
})

// Chromium takes messages from its maker's machines only, by a connection of their own kind. So another push service
// takes and decrypts what the server sends, and the worker is given that by the DevTools protocol.
test('a worker that is pushed what the server sends requests what is new, and its page learns of it', async () => {
  const { origin, start } = await openServer()
  const { context } = await openPushBrowser()
  const page = await openPushPage(context, origin, start)
  const service = await openPushService()
  const { endpoint, p256dh, auth } = service.subscribe('chromium', await call(page, 'getKey'))
  await call(page, 'register', 'chromium', endpoint, p256dh, auth)
  const phone = createClient({ ...start, tokens: createMemoryTokenStorage() })
  await phone.signIn('anna', 'correct horse')

  const { pos } = await phone.sync({ new_thing: [{ local_id: 1, title: 'from afar' }] })
  await vi.waitFor(() => expect(service.received).toHaveLength(1), 60_000)
  const pushed = service.received[0]?.message ?? ''
  await deliver(page, origin, pushed)
  const report = page.locator('#report')
  await report.getByText('from afar').waitFor()

  expect(JSON.parse(pushed)).toEqual({ pos })
  expect(JSON.parse((await report.textContent()) ?? '')).toEqual({ pushed, position: pos, titles: ['from afar'] })
  expect(service.rejected).toEqual([])
})
