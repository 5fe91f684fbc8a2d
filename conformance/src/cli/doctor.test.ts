import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Target } from '../client.ts'
import { type OpenServer, openRightServer } from '../model/right-server.ts'
import { checkConnection } from './doctor.ts'

let server: OpenServer

beforeAll(async () => {
  server = await openRightServer()
})

afterAll(() => server.close())

const examine = async (change: Partial<Target> = {}): Promise<{ exitCode: number; notes: string[] }> => {
  const { baseUrl, users, clientId, clientSecret } = server
  const notes: string[] = []
  const exitCode = await checkConnection({ baseUrl, users, clientId, clientSecret, ...change }, ({ kind, text }) => {
    notes.push(`${kind}: ${text.replaceAll(/\d+ ms/g, '… ms').replaceAll(server.baseUrl, 'URL')}`)
  })
  return { exitCode, notes }
}

/** Opens a server with one handler on a free port while `use` runs. */
const withServer = async <Result>(
  handle: RequestListener,
  use: (origin: string) => Promise<Result>,
): Promise<Result> => {
  const other = createServer(handle).listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  try {
    return await use(`http://127.0.0.1:${(other.address() as AddressInfo).port}`)
  } finally {
    other.closeAllConnections()
    other.close()
  }
}

test('a server that works is reported step by step', async () => {
  expect(await examine()).toEqual({
    exitCode: 0,
    notes: [
      'good: URL responds',
      'good: the token endpoint gives alice an access token',
      'good: sync responds to alice in … ms, pos 0; the account is empty',
      expect.stringMatching(
        /^good: the Authorization header is accepted as Bearer \{token\} · .* · .* · .*, and in \d+ more forms$/,
      ),
      'good: the token is accepted as the GET parameter access_token',
      'good: the token is accepted as the form parameter access_token',
      'good: the token endpoint gives bob an access token',
      'good: sync responds to bob in … ms, pos 0; the account is empty',
    ],
  })
})

test.each([
  [
    'a wrong password',
    { users: [{ username: 'alice', password: 'wrong' }] },
    2,
    /^problem: name and password of alice were rejected \(400 .*\): check --user/,
  ],
  [
    'a wrong application',
    { clientId: 'wrong' },
    2,
    /^problem: client ID and secret were rejected .* with --client-id and --client-secret$/,
  ],
  [
    'one account',
    { users: [{ username: 'bob', password: 'another pass' }] },
    0,
    /^hint: only one account was given; with a second --user/,
  ],
  [
    'a header form that is not accepted',
    { authHeaders: ['Basic {token}'] },
    0,
    /^hint: the token in the Authorization header is not accepted: none of the forms given with --auth-header works/,
  ],
])('what to do about %s is one sentence', async (_, change, exitCode, sentence) => {
  const seen = await examine(change)

  expect([seen.exitCode, seen.notes.filter((note) => sentence.test(note)).length]).toEqual([exitCode, 1])
})

test('a port where nothing listens is reported as a wrong port or a stopped server', async () => {
  const origin = await withServer(
    () => {},
    async (free) => free,
  )

  const { exitCode, notes } = await examine({ baseUrl: `${origin}/v1/` })

  expect([exitCode, notes]).toEqual([
    2,
    [expect.stringMatching(/does not respond \(.*ECONNREFUSED.*\): start the server, or correct the port \(\d+\)$/)],
  ])
})

test('a host that does not exist is reported as a wrong name', async () => {
  const { exitCode, notes } = await examine({ baseUrl: 'http://no-such-host.invalid/v1/' })

  expect([exitCode, notes]).toEqual([
    2,
    [expect.stringMatching(/: the host no-such-host\.invalid does not exist; correct its name$/)],
  ])
})

test('https to a server that speaks http is reported as such', async () => {
  const { exitCode, notes } = await examine({ baseUrl: server.baseUrl.replace('http:', 'https:') })

  expect([exitCode, notes]).toEqual([
    2,
    [expect.stringMatching(/: it does not use TLS on this port; write http:\/\/ instead of https:\/\/$/)],
  ])
})

test('a base URL without a token endpoint, or with a redirect, is reported with what to give instead', async () => {
  const handle: RequestListener = (request, response) => {
    if (request.url?.startsWith('/old/'))
      response.writeHead(301, { location: request.url.replace('/old/', '/v1/') }).end()
    else response.writeHead(404).end('<h1>nothing here</h1>')
  }

  await withServer(handle, async (origin) => {
    const missing = await examine({ baseUrl: `${origin}/api/` })
    const moved = await examine({ baseUrl: `${origin}/old/` })

    expect(missing.notes.slice(1, 3)).toEqual([
      `hint: the base URL should end in its version segment, ${origin}/api/v1/ perhaps (protocol 9)`,
      expect.stringMatching(
        /^problem: there is no token endpoint at http:.*\/api\/token \(404 .*\): correct --base-url, including its version segment$/,
      ),
    ])
    expect([moved.exitCode, moved.notes]).toEqual([2, [expect.stringContaining(`so give --base-url ${origin}/v1/`)]])
  })
})

test('a sync with a meaningless response is a problem of the server', async () => {
  const handle: RequestListener = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      request.url?.includes('token') && request.method === 'POST' && !request.url.includes('sync')
        ? '{"access_token":"abcdef","token_type":"bearer"}'
        : '[]',
    )
  }

  await withServer(handle, async (origin) => {
    const { exitCode, notes } = await examine({ baseUrl: `${origin}/v1/` })

    expect(exitCode).toBe(1)
    expect(notes).toContainEqual(
      expect.stringMatching(/^hint: the token response lacks expires_in, request_token, scope;/),
    )
    expect(notes).toContainEqual(
      expect.stringMatching(/^problem: GET sync with alice's new token got 200 \[\]: respond with a JSON object/),
    )
  })
})

test('a server without sync gets that report, and nothing about headers', async () => {
  const handle: RequestListener = (request, response) => {
    const isToken = request.url?.endsWith('/token') === true
    response.writeHead(isToken ? 200 : 404, { 'content-type': 'application/json' })
    const pair = { access_token: 'abcdef', token_type: 'bearer', request_token: 'ghijkl', expires_in: 60, scope: '' }
    response.end(JSON.stringify(isToken ? pair : { error: 'not_found' }))
  }

  await withServer(handle, async (origin) => {
    const { notes } = await examine({ baseUrl: `${origin}/v1/` })

    expect(notes).toContainEqual(expect.stringContaining("GET sync with alice's new token got 404"))
    expect(notes.filter((note) => /header|access_token gets/.test(note))).toEqual([])
  })
})
