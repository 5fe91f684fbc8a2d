import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createResponseCheck } from '../../support/check-response.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'

const pages: Readonly<Record<string, RequestListener>> = {
  '/page': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<meta charset=utf-8>
      <title>Fish &amp; chips</title><meta name=description content="Fresh."><link rel=canonical href=/c>
      <meta property=og:site_name content=Harbor>`),
  '/shift-jis': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=Shift_JIS' })
      .end(Buffer.from('<title>\x93\xfa\x96\x7b\x8c\xea</title>', 'latin1')),
  '/large': (_request, response) => response.end(`<title>Large</title>${'x'.repeat(10_000_000)}`),
  '/endless': (_request, response) => {
    const write = () => {
      while (response.write('<p>again and again'.repeat(1000)));
    }
    response.on('drain', write)
    response.write('<title>Endless</title>')
    write()
  },
  '/late': (_request, response) => response.end(`${'x'.repeat(600_000)}<title>Too late</title>`),
  '/metadata': (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/report.pdf': (_request, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
  '/missing': (_request, response) => response.writeHead(404).end('<title>Missing</title>'),
}

const site = createServer((request, response) => pages[request.url ?? '']?.(request, response))
site.listen(0, '127.0.0.1')
await once(site, 'listening')
afterAll(() => {
  site.closeAllConnections()
  site.close()
})
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

const server = await openFileServer({ settings: { linkPreviewAllow: ['127.0.0.1'] } })
const check = await createResponseCheck()

const preview = async (url: string, { on = server, token = '' } = {}) => {
  const authorization = `Bearer ${token || (await on.signIn())}`
  const response = await fetch(`${on.baseUrl}link/preview?${new URLSearchParams({ url })}`, {
    headers: { authorization },
  })
  const body = await response.json()
  check('GET', '/link/preview', response.status, body)
  return { status: response.status, body, retryAfter: response.headers.get('retry-after') }
}

test.each<[string, object]>([
  ['/page', { title: 'Fish & chips', description: 'Fresh.', canonical_url: `${origin}/c`, site_name: 'Harbor' }],
  ['/shift-jis', { title: '日本語' }],
  ['/large', { title: 'Large' }],
  ['/endless', { title: 'Endless' }],
  ['/late', {}],
  ['/report.pdf', { title: 'report.pdf' }],
])('the preview of %s is what the page says', async (path, body) => {
  expect(await preview(`${origin}${path}`)).toEqual({ status: 200, body, retryAfter: null })
})

test.each<[string, number, string, string]>([
  ['/missing', 422, 'unavailable', 'The page cannot be read: its host responded with status 404'],
  [
    '/metadata',
    422,
    'unavailable',
    'The page cannot be read: its host is unknown, or this server may not read from its address (setting link_preview_allow)',
  ],
])('the preview of %s is an error that says why', async (path, status, error, description) => {
  const { body, ...response } = await preview(`${origin}${path}`)

  expect([response.status, body]).toEqual([status, { error, error_description: description }])
})

test.each([
  ['http://169.254.169.254/', /^url must lead to the public internet, .* link_preview_allow /],
  ['http://[::ffff:10.0.0.1]/', /^url must lead to the public internet, /],
  ['https://a@example.com/', /^url must not contain a user name or password$/],
  ['http://example.com:25/', /^url must not use port 25, /],
  ['ftp://example.com/', /^url must be an absolute HTTP or HTTPS URL|^url /],
  ['', /^url /],
  ['http://example.com/'.padEnd(5_000, 'x'), /^url /],
])('the URL %s is a bad parameter', async (url, description) => {
  const { status, body } = await preview(url)

  expect([status, body.error, description.test(body.error_description)]).toEqual([400, 'parameter_invalid', true])
})

test('without a URL or a token there is no preview', async () => {
  const authorization = `Bearer ${await server.signIn()}`
  const withoutUrl = await fetch(`${server.baseUrl}link/preview`, { headers: { authorization } })
  const withoutToken = await fetch(`${server.baseUrl}link/preview?url=${origin}/page`)

  expect([withoutUrl.status, await withoutUrl.json()]).toEqual([
    400,
    { error: 'parameter_invalid', error_description: 'url is required' },
  ])
  expect(withoutToken.status).toBe(401)
})

test('the sixty-first preview within an hour has to wait', async () => {
  const token = await server.signIn()
  const other = await openTestServer({ settings: { linkPreviewAllow: ['127.0.0.1'] } })
  const ownToken = await other.signIn()
  for (let index = 0; index < 60; index++) await preview(`${origin}/missing`, { on: other, token: ownToken })

  const rejected = await preview(`${origin}/page`, { on: other, token: ownToken })

  expect([rejected.status, rejected.body.error]).toEqual([429, 'slow_down'])
  expect(Number(rejected.retryAfter)).toBeGreaterThan(3_000)
  expect((await preview(`${origin}/page`, { token })).status).toBe(200)
})

test('by default nothing of the own network is read', async () => {
  const closed = await openTestServer()

  expect((await preview(`${origin}/page`, { on: closed })).status).toBe(400)
})

test('a server without previews responds as one that lacks the operation, and says so at its base URL', async () => {
  const off = await openTestServer({ settings: { linkPreview: false } })

  const { status, body } = await preview('https://example.com/', { on: off })
  const described = await (await fetch(off.baseUrl)).json()

  expect([status, body]).toEqual([
    404,
    { error: 'not_found', error_description: 'This server reads no pages for link previews (setting link_preview)' },
  ])
  expect(described.link_preview).toBe(false)
})
