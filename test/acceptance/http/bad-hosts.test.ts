import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { allPages } from '../../../src/pages/routes.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import { openRaw } from '../../support/raw-connection.ts'
import { recordLog } from '../../support/record-log.ts'

const badHosts = [
  'a:99999',
  'a:-1',
  'a:b',
  ':80',
  '300.1.1.1',
  '1.2.3.4.5',
  '[:::]',
  '[::1',
  '::1',
  'a..b',
  '.a',
  '-',
  '%',
  '%41',
  'a b',
  'a/b',
  'a?b',
  'a@b',
  'http://a',
  '"><script>',
  'b\u00fccher',
  'a'.repeat(300),
  '',
]
const goodHosts = ['a', 'A.Example:8484', 'my_server-1.', 'xn--bcher-kva.example', '127.0.0.1', '[::1]:8484', '1:65535']

// Beside the pages: an unknown path. A browser gets a page for it.
const pages = [...allPages.map(({ path }) => path.replace(/:\w+/g, 'x')), '/no-such-page']
const others = [
  '/v1/',
  '/v1/test',
  '/v1/token',
  '/openapi.json',
  '/.well-known/oauth-authorization-server',
  '/assets/x.js',
]
const health = ['/healthz', '/readyz']

/** The responses to heads of requests that are sent one after the other on one connection. */
const requestAll = async (baseUrl: string, heads: readonly string[]): Promise<readonly string[]> => {
  const { received, socket } = await openRaw(baseUrl, '')
  const responses: string[] = []
  for (const head of heads) {
    const before = received().length
    socket.write(head)
    const isWhole = () => {
      const response = received().slice(before)
      const length = /content-length: (\d+)/i.exec(response)?.[1]
      return length !== undefined && response.length >= response.indexOf('\r\n\r\n') + 4 + Number(length)
    }
    while (!isWhole()) await once(socket, 'data')
    responses.push(received().slice(before))
  }
  socket.destroy()
  return responses
}

// Each request comes from an address of its own: one address may make 50 a second without a token.
let addresses = 0
const nextAddress = (): string => {
  addresses += 1
  return `x-forwarded-for: 10.0.${addresses >> 8}.${addresses & 255}\r\n`
}

const get = (path: string, host: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${nextAddress()}${headers}\r\n`
const statusOf = (response: string) => Number(response.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3))
const bodyOf = (response: string) => response.slice(response.indexOf('\r\n\r\n') + 4)
const html = 'accept: text/html\r\n'

describe.each([
  ['without a base URL', { trustProxy: ['loopback'] }],
  ['with a base URL', { trustProxy: ['loopback'], baseUrl: 'https://things.example/v1/' }],
])('%s', async (_, settings) => {
  const { log, lines } = recordLog()
  const server = await openFileServer({ settings, log })
  afterAll(() => expect(lines.filter(({ level }) => level === 'error')).toEqual([]))

  test.each(badHosts)('the host %j is rejected by a page at every page', async (host) => {
    const responses = await requestAll(
      server.baseUrl,
      pages.map((path) => get(path, host, html)),
    )

    expect(responses.map(statusOf)).toEqual(pages.map(() => 400))
    for (const response of responses) {
      expect(response).toContain('content-type: text/html')
      expect(response).not.toMatch(/^set-cookie:/im)
      expect(bodyOf(response)).toContain('The Host header must be a host name')
      expect(bodyOf(response)).toContain('Open this server by its name or IP address')
    }
  })

  test.each(badHosts)('the host %j is rejected by an error object everywhere else', async (host) => {
    const paths = host === '' ? others : [...others, ...health]
    const responses = await requestAll(
      server.baseUrl,
      paths.map((path) => get(path, host)),
    )

    const error_description = 'The Host header must be a host name or an IP address, with or without a port up to 65535'
    expect(responses.map(statusOf)).toEqual(paths.map(() => 400))
    expect(responses.map((response) => JSON.parse(bodyOf(response)))).toEqual(
      paths.map(() => ({ error: 'parameter_invalid', error_description })),
    )
  })

  test('the host of an absolute target is checked the same way, whatever the Host header says', async () => {
    const targets = ['http://evil:99999', 'http://a:b@things.example', 'https://300.1.1.1', 'http://-']
    const responses = await requestAll(
      server.baseUrl,
      targets.flatMap((target) => [get(`${target}/sign-in`, 'a', html), get(`${target}/v1/test`, 'a')]),
    )

    expect(responses.map(statusOf)).toEqual(responses.map(() => 400))
    for (const response of responses) expect(bodyOf(response)).toContain('The request target must be a host name')
  })

  test.each(goodHosts)('the host %s is taken', async (host) => {
    const [page, api, healthy] = await requestAll(server.baseUrl, [
      get('/sign-in', host, html),
      get('/v1/test', host),
      get('/healthz', host),
    ])

    expect([page, api, healthy].map((response) => statusOf(response ?? ''))).toEqual([200, 401, 200])
  })

  test('a health check may know no host', async () => {
    const send = async (text: string) => statusOf(await (await openRaw(server.baseUrl, text)).ended)
    const close = 'connection: close\r\n'

    for (const path of health) {
      expect(await send(`GET ${path} HTTP/1.0\r\n\r\n`)).toBe(200)
      expect(await send(`GET ${path} HTTP/1.0\r\nhost:\r\n\r\n`)).toBe(200)
      expect(await send(get(path, '', close))).toBe(200)
      expect(await send(get(path, '10.0.0.1:8484', close))).toBe(200)
      expect(await send(`GET ${path} HTTP/1.1\r\n${close}\r\n`)).toBe(400)
    }
    expect(await send('GET /sign-in HTTP/1.0\r\n\r\n')).toBe(200)
    expect(await send('GET /v1/test HTTP/1.0\r\nhost:\r\n\r\n')).toBe(401)
  })

  test('several hosts, or none, are rejected by a page where a page was asked for', async () => {
    for (const hosts of ['host: a\r\nhost: a\r\n', 'host: a\r\nhost: b\r\n', '']) {
      const { ended } = await openRaw(server.baseUrl, `GET /sign-in HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`)
      const response = await ended

      expect(statusOf(response)).toBe(400)
      expect(bodyOf(response)).toMatch(/The Host header is (?:given more than once|required)/)
      expect(response).toContain('content-type: text/html')
    }
  })
})

test('an absolute target names the host, and X-Forwarded-Host does not', async () => {
  const server = await openFileServer()

  const [response = ''] = await requestAll(server.baseUrl, [
    get('http://things.example:8080/v1/', 'other.example', 'x-forwarded-host: evil.example\r\n'),
  ])

  expect(JSON.parse(bodyOf(response)).base_url).toBe('http://things.example:8080/v1/')
})
