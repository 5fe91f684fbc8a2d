import type { IncomingMessage } from 'node:http'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { usualHeaders } from '../access-tokens.ts'
import { openRightServer } from '../model/right-server.ts'
import { allRules } from '../rules/all-rules.ts'
import { runCommandLine } from './command-line.ts'

const minute = 60_000

interface Login {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly users: readonly { readonly username: string; readonly password: string }[]
}

/** Runs the suite in this process, and collects its output. */
const runWith = async (login: Login, words: readonly string[] = []) => {
  const said = { output: '', errors: '' }
  const gather = (kind: 'output' | 'errors') => ({
    write: (text: string): void => {
      said[kind] += text
    },
    isTerminal: false,
    columns: 80,
  })
  const environment = {
    THINGSYNC_BASE_URL: login.baseUrl,
    THINGSYNC_CLIENT_ID: login.clientId,
    THINGSYNC_CLIENT_SECRET: login.clientSecret,
    THINGSYNC_USER: login.users.map(({ username, password }) => `${username}:${password}`).join('\n'),
  }
  const context = { environment, output: gather('output'), errors: gather('errors'), rules: allRules }
  const exitCode = await runCommandLine(words, { ...context, signal: new AbortController().signal })
  return { exitCode, ...said }
}

const withHandler = async <T>(handle: RequestListener, use: (origin: string) => Promise<T>): Promise<T> => {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const anyClient = { clientId: 'app', clientSecret: 'a secret', users: [{ username: 'alice', password: 'a pass' }] }

/** A scheme that cannot be guessed: the server removes it before it reads the header. */
const ownScheme = {
  authorizationOf: ({ headers: { authorization = '' } }: IncomingMessage) =>
    authorization.startsWith('Things ') ? authorization.replace('Things', 'Bearer') : undefined,
}

test(
  'an unknown header form: the screen shows the tried forms, the option, and a curl command to try one',
  async () => {
    const server = await openRightServer({ behavior: ownScheme })
    const { exitCode, output } = await runWith(server, ['--rule', 'TOKEN-AUTH-HEADER'])
    const named = await runWith(server, ['--rule', 'TOKEN-AUTH-HEADER', '--auth-header', 'Things {token}'])
    await server.close()

    expect(exitCode).toBe(3)
    expect(output).toContain(`tried: ${usualHeaders.join(' · ')}`)
    expect(output).toContain("--auth-header 'Bearer {token}'")
    expect(output).toContain(
      `curl -sS '${server.baseUrl.replace(/\/$/, '')}/sync?limit=1' -H 'Authorization: Bearer '"$ACCESS_TOKEN"`,
    )
    expect([named.exitCode, named.output]).toEqual([0, expect.stringContaining('PASSED')])
  },
  5 * minute,
)

test('a wrong base path is one sentence and exit code 2', async () => {
  const handle: RequestListener = (_request, response) => void response.writeHead(404).end('<h1>nothing here</h1>')

  await withHandler(handle, async (origin) => {
    const { exitCode, output } = await runWith({ ...anyClient, baseUrl: `${origin}/v2/` })

    expect(exitCode).toBe(2)
    expect(output.match(/^NOT RUN: .*$/gm)).toEqual([
      expect.stringMatching(/there is no token endpoint at http:.*\/v2\/token \(404 .*\): correct --base-url/),
    ])
  })
})

test('a base URL with redirects is one sentence with the URL to give, and exit code 2', async () => {
  const handle: RequestListener = (request, response) =>
    void response.writeHead(308, { location: `${request.url}`.replace('/old/', '/v1/') }).end()

  await withHandler(handle, async (origin) => {
    const { exitCode, output } = await runWith({ ...anyClient, baseUrl: `${origin}/old/` })

    expect(exitCode).toBe(2)
    expect(output.match(/^NOT RUN: .*$/gm)).toEqual([
      expect.stringContaining(`the server redirects to ${origin}/v1/token; `),
    ])
    expect(output).toContain(`so give --base-url ${origin}/v1/`)
  })
})

test('a redirect of sync alone is one sentence and exit code 2', async () => {
  const handle: RequestListener = (request, response) => {
    if (request.url?.endsWith('/token') === true) {
      const tokens = { access_token: 'abcdef', expires_in: 3600, request_token: 'ghijkl', token_type: 'bearer' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...tokens, scope: null }))
    } else response.writeHead(301, { location: '/v1/sync/' }).end()
  }

  await withHandler(handle, async (origin) => {
    const { exitCode, output } = await runWith({ ...anyClient, baseUrl: `${origin}/v1/` })

    expect(exitCode).toBe(2)
    expect(output.match(/^NOT RUN: .*$/gm)).toEqual([
      expect.stringContaining(`the server redirects to ${origin}/v1/sync/; `),
    ])
  })
})

test(
  'rules about deliveries are skipped without a receiver, and say which option names one',
  async () => {
    const server = await openRightServer()
    const rules = ['--profile', 'full', '--rule', 'WEBHOOK-MESSAGE', '--rule', 'WEBHOOK-SECRET']
    const without = await runWith(server, rules)
    const { clientId, clientSecret } = server.otherClient
    const other = `${clientId}:${clientSecret}`
    const whole = await runWith(server, [...rules, '--webhook-listen', '127.0.0.1:0', '--other-client', other])
    await server.close()

    expect(without.exitCode).toBe(0)
    expect(without.output).toMatch(
      /2 skipped: WEBHOOK-SECRET-05, because .* name it with --other-client ID:SECRET; WEBHOOK-MESSAGE-01, because /,
    )
    expect(without.output).toContain('name one with --webhook-listen HOST:PORT')
    expect([whole.exitCode, whole.output]).toEqual([0, expect.stringContaining('PASSED: 6 MUST rules')])
  },
  5 * minute,
)

test('an address that the receiver cannot listen on is one sentence and exit code 2', async () => {
  const server = await openRightServer()
  const taken = new URL(server.baseUrl).host
  const { exitCode, errors } = await runWith(server, ['--profile', 'full', '--webhook-listen', taken])
  await server.close()

  expect(exitCode).toBe(2)
  expect(errors).toContain(`--webhook-listen: cannot listen on ${taken} (EADDRINUSE); give another address`)
})

test('--restart-manually without a terminal is a usage error that names --restart', async () => {
  const { exitCode, errors } = await runWith({ baseUrl: 'http://127.0.0.1:1/v1/', ...anyClient }, [
    '--restart-manually',
  ])

  expect([exitCode, errors]).toEqual([2, expect.stringContaining('give a command with --restart instead')])
})

test('--restart-manually asks on the terminal, and checks the rules about restarts when the user confirms', async () => {
  const server = await openRightServer()
  let asked = ''
  const environment = {
    THINGSYNC_BASE_URL: server.baseUrl,
    THINGSYNC_CLIENT_ID: server.clientId,
    THINGSYNC_CLIENT_SECRET: server.clientSecret,
    THINGSYNC_USER: server.users.map(({ username, password }) => `${username}:${password}`).join('\n'),
  }
  const stream = (write: (text: string) => void) => ({ write, isTerminal: false, columns: 80 })
  let said = ''
  const exitCode = await runCommandLine(['--restart-manually', '--rule', 'RESTART-LAST'], {
    environment,
    rules: allRules,
    output: stream((text) => {
      said += text
    }),
    errors: stream((text) => {
      asked += text
    }),
    input: {
      waitForEnter: async () => {
        await server.restart()
        return true
      },
    },
    signal: new AbortController().signal,
  })
  await server.close()

  expect([exitCode, asked]).toEqual([0, expect.stringContaining('Press Enter when it has started again.')])
  expect(said).toContain('PASSED: 4 MUST rules of profile core passed.')
})
