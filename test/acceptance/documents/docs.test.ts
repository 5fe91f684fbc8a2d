import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { expect, test } from 'vitest'
import { openFileServer } from '../../support/open-test-server.ts'

const server = await openFileServer({ settings: { baseUrl: 'https://things.example/some/where/v1/' } })
const address = (path: string): URL => new URL(`/some/where${path}`, server.baseUrl)

/** The bytes of a response as they come, without what fetch decodes. */
const countBytes = (url: URL, encoding: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
      response.on('error', reject)
    }).on('error', reject)
  })

test('the reference is one response below 20 KB with its style, whatever the browser decodes', async () => {
  const sizes = await Promise.all(['br', 'gzip'].map((encoding) => countBytes(address('/docs'), encoding)))

  expect(sizes.filter((size) => size > 20_480)).toEqual([])
})

test('the policy of the reference takes scripts from this server only, and lets nobody frame it', async () => {
  const response = await fetch(address('/docs'))

  const policy = response.headers.get('content-security-policy')?.replaceAll(/'sha256-[^']+'/g, 'HASH')
  expect(policy?.split('; ').sort()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    'img-src data:',
    "script-src 'self'",
    'style-src HASH HASH',
  ])
  expect(await response.text()).not.toMatch(/<script(?![^>]* src=)| on[a-z]+="|style="/)
})

test('the reference calls the base URL below its prefix, and names it in commands', async () => {
  const html = await (await fetch(address('/docs'))).text()
  const form = await (await fetch(address('/docs/try/postSync'))).text()

  expect(form).toContain('action="/some/where/v1/sync"')
  expect(form).toContain('src="/some/where/docs/send-requests.js"')
  expect(html).toContain('https://things.example/some/where/v1/user/get')
  expect(html).toContain('src="/some/where/docs/send-requests.js"')
})

test('the script of the reference is JavaScript to every browser', async () => {
  const response = await fetch(address('/docs/send-requests.js'))

  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('x-content-type-options'),
  ]).toEqual([200, 'text/javascript; charset=utf-8', 'nosniff'])
})

test('every id of the reference is there once', async () => {
  const html = await (await fetch(address('/docs'))).text()

  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test('the reference has every operation of the document', async () => {
  const html = await (await fetch(address('/docs'))).text()
  const document = await (await fetch(address('/openapi.json'))).json()

  const operations = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    (item) => Object.values(item).map(({ operationId }) => operationId),
  )
  expect(operations.length).toBeGreaterThanOrEqual(18)
  expect(operations.filter((id) => !html.includes(`<h3 id="${id}">`))).toEqual([])
})

test('the reference says which operations other servers may not have', async () => {
  const html = await (await fetch(address('/docs'))).text()
  const sections = html.split('<section').filter((section) => section.includes('Extension: other servers'))

  expect(sections.map((section) => /id="(\w+)"/.exec(section)?.[1]).sort()).toEqual([
    'getDeviceKey',
    'listDevices',
    'listSessions',
    'listWebhooks',
    'previewLink',
    'revokeSession',
    'streamEvents',
  ])
})

test('every operation leads to a form that sends it, but for a stream, which has no end to be shown', async () => {
  const { reference } = await import('../../../generated/reference.ts')
  const html = await (await fetch(address('/docs'))).text()

  const without: string[] = []
  for (const { id, method, path } of reference.groups.flatMap((group) => group.operations)) {
    const response = await fetch(address(`/docs/try/${id}`))
    const form = `method="${method}" action="/some/where/v1${path}" data-send`
    const found = [response.status, (await response.text()).includes(form), html.includes(`/docs/try/${id}"`)]
    if (found[0] === 404) without.push(id)
    expect([id, ...found]).toEqual(found[0] === 404 ? [id, 404, false, false] : [id, 200, true, true])
  }
  expect(without).toEqual(['streamEvents'])
  expect((await fetch(address('/docs/try/__proto__'))).status).toBe(404)
})

test('a command for a stream shows what comes when it comes', async () => {
  const html = await (await fetch(address('/docs'))).text()

  expect(html.match(/curl -sSN(?=[^<]*\/sync\/events)/g)).toEqual(['curl -sSN'])
  expect(html.split('curl -sSN')).toHaveLength(2)
})

test('what has code in several languages leads to it, and what is no operation to nothing', async () => {
  const { reference } = await import('../../../generated/reference.ts')
  const operations = reference.groups.flatMap((group) => group.operations)
  const html = await (await fetch(address('/docs'))).text()

  for (const { id, samples } of operations) {
    const response = await fetch(address(`/docs/code/${id}`))
    expect([id, response.status]).toEqual([id, samples.length > 0 ? 200 : 404])
    expect([id, html.includes(`/docs/code/${id}"`)]).toEqual([id, samples.length > 0])
    for (const { label } of samples) expect(await response.clone().text()).toContain(`<h2>${label}</h2>`)
  }
  expect((await fetch(address('/docs/code/__proto__'))).status).toBe(404)
})

test('code of an operation begins with what opens a program in its language', async () => {
  const page = await (await fetch(address('/docs/code/getUser'))).text()
  const first = await (await fetch(address('/docs/code/grantToken'))).text()
  const blocksOf = (html: string) => [...html.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, text]) => text)

  const openings = blocksOf(first)
  expect(openings).toHaveLength(8)
  expect(openings[0]).toMatch(/^import .* from .*thingsync-sdk/)
  expect(blocksOf(page).filter((_, at) => at % 2 === 0)).toEqual(openings)
  expect(page.split('Once, at the start of the program:')).toHaveLength(9)
  expect(first).not.toContain('Once, at the start of the program:')
})

test('the reference leads to personal access tokens, with and without JavaScript', async () => {
  const html = await (await fetch(address('/docs'))).text()

  expect(html.split(' href="/some/where/account/tokens"')).toHaveLength(3)
})

test('the start page shows the versions of server and contract apart', async () => {
  const html = await (await fetch(address('/'))).text()
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const { info } = await (await fetch(address('/openapi.json'))).json()

  expect(html).toContain(`<dt>Server</dt><dd>thingsync ${version}</dd>`)
  expect(html).toMatch(new RegExp(`<dt>API</dt><dd><a href="[^"]*">openapi.yaml</a> ${info.version}</dd>`))
})

test('every schema name links to its description', async () => {
  const [html, schemas] = await Promise.all(
    ['/docs', '/docs/schemas'].map(async (path) => (await fetch(address(path))).text()),
  )

  const named = [
    ...[...(html ?? '').matchAll(/ href="\/some\/where\/docs\/schemas#([^"]+)"/g)].map(([, name]) => name),
    ...[...(schemas ?? '').matchAll(/ href="#([^"]+)"/g)].map(([, name]) => name).filter((name) => name !== 'content'),
  ]
  expect(named).toContain('Thing')
  expect(named.filter((name) => schemas?.includes(` id="${name}"`) !== true)).toEqual([])
})

test('every error of an operation links to its explanation', async () => {
  const html = await (await fetch(address('/docs'))).text()
  const errors = await (await fetch(address('/docs/errors'))).text()

  const named = [...html.matchAll(/ href="\/some\/where\/docs\/errors#([^"]+)"/g)].map(([, name]) => name)
  expect(named).toContain('TooManyAttempts')
  expect(named.filter((name) => !errors.includes(` id="${name}"`))).toEqual([])
})
