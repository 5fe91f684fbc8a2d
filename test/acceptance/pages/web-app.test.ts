import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { listApps } from '../../../src/accounts/apps.ts'
import { createHandler } from '../../../src/http/handler.ts'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { buildProgram } from '../../support/build-program.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'

await buildProgram()
const server = await openFileServer({ settings: { web: true } })
const home = server.baseUrl.replace(/v1\/$/, '')
const page = await (await fetch(home)).text()
const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types default dompurify"

test('the page of the app has no script or style of its own, and may load what is here and nothing else', async () => {
  const response = await fetch(home)

  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)| on[a-z]+=/)
})

test('a file with a hash in its name is cached permanently; the rest is requested again', async () => {
  const hashed = await fetch(home + script)
  const names = ['service-worker.js', 'app.webmanifest', 'icon.svg', 'icon-192.png']
  const others = await Promise.all(names.map((name) => fetch(home + name)))
  const tag = others[0]?.headers.get('etag') ?? ''
  const again = await fetch(`${home}service-worker.js`, { headers: { 'if-none-match': tag } })

  expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(
    others.map(({ status, headers }) => [status, headers.get('cache-control'), headers.get('content-type')]),
  ).toEqual([
    [200, 'no-cache', 'text/javascript; charset=utf-8'],
    [200, 'no-cache', 'application/manifest+json; charset=utf-8'],
    [200, 'no-cache', 'image/svg+xml'],
    [200, 'no-cache', 'image/png'],
  ])
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('responses with files of the app have a request id like all others', async () => {
  const tag = (await fetch(`${home}icon.svg`)).headers.get('etag') ?? ''

  const responses = await Promise.all([
    fetch(home, { headers: { 'x-request-id': 'mine' } }),
    fetch(home + script),
    fetch(`${home}icon.svg`, { headers: { 'if-none-match': tag } }),
  ])

  expect(responses.map(({ status, headers }) => [status, headers.get('x-request-id')])).toEqual([
    [200, 'mine'],
    [200, expect.stringMatching(/^[0-9a-f]{12}-\d+$/)],
    [304, expect.stringMatching(/^[0-9a-f]{12}-\d+$/)],
  ])
})

/** Status, head and body, as the server sent them. */
const send = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
  const { ended } = await openRaw(server.baseUrl, rawHead(method, path, { connection: 'close', ...headers }))
  const [head = '', ...rest] = (await ended).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: Buffer.from(rest.join('\r\n\r\n'), 'latin1') }
}

test('files come in the encoding that is requested', async () => {
  const path = `/${script}`

  const br = await send(path, { 'accept-encoding': 'gzip, br' })
  const gzip = await send(path, { 'accept-encoding': 'gzip' })
  const plain = await send(path)

  expect(brotliDecompressSync(br.body)).toEqual(plain.body)
  expect(gunzipSync(gzip.body)).toEqual(plain.body)
  expect([br.head, gzip.head].map((head) => /^content-encoding: .*$/im.exec(head)?.[0].toLowerCase())).toEqual([
    'content-encoding: br',
    'content-encoding: gzip',
  ])
})

test('the app is only read, and unknown paths beside it get the same error as without it', async () => {
  const posted = await send('/', { 'content-length': '0' }, 'POST')
  const head = await send('/', {}, 'HEAD')
  const missing = await send('/assets/none.js')

  expect([posted.status, head.status, head.body.length, missing.status]).toEqual([405, 200, 0, 404])
})

test('where browsers would not run the app, by http from another machine, the start page stands', async () => {
  const { body } = await send('/', { host: '192.168.1.5:8484', accept: 'text/html' })

  expect(body.toString()).toContain('thingsync server')
})

test('below a path prefix the app is also there, and its URL ends in a slash', async () => {
  const below = await openTestServer({ settings: { web: true, baseUrl: 'https://things.example/mine/v1/' } })
  const site = below.baseUrl.replace(/\/mine\/v1\/$/, '')

  const bare = await fetch(`${site}/mine`, { redirect: 'manual' })
  const found = await Promise.all(['/mine/', '/', `/mine/${script}`].map((path) => fetch(site + path)))

  expect([bare.status, bare.headers.get('location')]).toEqual([308, '/mine/'])
  expect(found.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('the app is registered once, and its redirect URIs follow the base URL', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const redirects = async (baseUrl?: string) => {
    const options = baseUrl === undefined ? {} : { baseUrl }
    await createHandler({ store, web: true, basePath: new URL(baseUrl ?? 'http://localhost/v1/').pathname, ...options })
    return (await listApps(store)).map(({ clientId, redirectUris }) => [clientId, ...(redirectUris ?? [])])
  }

  const here = await redirects()
  const moved = await redirects('https://things.example/mine/v1/')
  const open = await redirects('http://things.example/v1/')

  expect(here).toEqual([['thingsync-web', 'http://127.0.0.1/', 'http://[::1]/', 'http://localhost/']])
  expect(moved).toEqual([['thingsync-web', 'https://things.example/mine/']])
  expect(open).toEqual([['thingsync-web']])
})

test('without the app the start page is there, and no app is registered', async () => {
  const without = await openTestServer()

  const response = await fetch(without.baseUrl.replace(/v1\/$/, ''))

  expect(await response.text()).toContain('thingsync server')
  expect((await listApps(without.store)).map(({ name }) => name)).toEqual(['tests'])
})
