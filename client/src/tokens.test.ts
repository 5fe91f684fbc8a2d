import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemEnvironment } from '../../src/environment.ts'
import { createTestClient } from '../../test/support/create-test-client.ts'
import { openTestServer } from '../../test/support/open-test-server.ts'
import type { Send } from './api.ts'
import { createClient } from './create-client.ts'
import { createMemoryTokenStorage } from './tokens.ts'

const open = async () => {
  let time = Date.now()
  const now = () => time
  const server = await openTestServer({ environment: { ...systemEnvironment, now } })
  const tokens = createMemoryTokenStorage()
  const requests: string[] = []
  let fault: ((request: Request) => Promise<Response> | undefined) | undefined
  const send: Send = async (request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname.slice(3)}`)
    return (await fault?.(request)) ?? fetch(request)
  }
  const client = createTestClient(server, { tokens, now, fetch: send })
  const pass = (seconds: number) => {
    time += seconds * 1000
  }
  const setFault = (next: typeof fault) => {
    fault = next
  }
  return { server, client, tokens, requests, send, now, pass, setFault }
}

const lost = () => {
  throw new TypeError('fetch failed')
}
const loseResponse = async (request: Request) => {
  await (await fetch(request)).text()
  return lost()
}
const tokenCalls = (requests: readonly string[]) => requests.filter((one) => one === 'POST /token').length

test('without tokens a call is signed_out and sends nothing', async () => {
  const { client, requests } = await open()

  await expect(client.sync()).rejects.toMatchObject({ code: 'signed_out' })
  expect(requests).toEqual([])
})

test('a wrong password is rejected with the error of the server', async () => {
  const { client, tokens } = await open()

  const expected = { code: 'rejected', status: 400, error: 'invalid_grant', description: expect.any(String) }
  await expect(client.signIn('anna', 'wrong')).rejects.toMatchObject(expected)
  expect(await tokens.read()).toBeUndefined()
})

test('many calls with an expired token share one refresh', async () => {
  const { client, requests, pass } = await open()
  await client.signIn('anna', 'correct horse')

  pass(3601)
  const responses = await Promise.all(Array.from({ length: 20 }, () => client.sync()))

  expect(responses).toEqual(Array(20).fill({ pos: 0 }))
  expect(tokenCalls(requests)).toBe(2)
})

test('many calls whose token the server rejects share one refresh', async () => {
  const { client, tokens, requests } = await open()
  await client.signIn('anna', 'correct horse')
  const known = await tokens.read()
  if (known !== undefined) await tokens.write({ ...known, accessToken: 'not a token' })

  const upload = { new_thing: [{ local_id: 'a', title: 'once' }], from: 0 }
  const responses = await Promise.all([client.sync(upload), ...Array.from({ length: 19 }, () => client.sync())])

  expect(responses[0]).toMatchObject({ thingCount: 1, things: { new: { a: expect.any(String) } } })
  expect(tokenCalls(requests)).toBe(2)
  expect(await client.sync()).toMatchObject({ thingCount: 1 })
})

test('both new tokens are stored before the access token is first used', async () => {
  const { client, tokens, pass, setFault } = await open()
  await client.signIn('anna', 'correct horse')
  const used: boolean[] = []
  setFault(async (request) => {
    const header = request.headers.get('authorization')
    if (header !== null) used.push(header === `Bearer ${(await tokens.read())?.accessToken}`)
    return fetch(request)
  })

  pass(3601)
  await client.sync()

  expect(used).toEqual([true])
})

test('the next call repeats a refresh whose response was lost', async () => {
  const { client, pass, setFault } = await open()
  await client.signIn('anna', 'correct horse')

  pass(3601)
  setFault((request) => (request.url.endsWith('/token') ? loseResponse(request) : undefined))
  await expect(client.sync()).rejects.toMatchObject({ code: 'network' })
  setFault(undefined)

  expect(await client.sync()).toEqual({ pos: 0 })
})

test('a session that the server has ended is signed_out, and its tokens are deleted', async () => {
  const { client, tokens, server, now, pass } = await open()
  await client.signIn('anna', 'correct horse')
  const stolen = createMemoryTokenStorage()
  const known = await tokens.read()
  if (known !== undefined) await stolen.write(known)
  const thief = createTestClient(server, { tokens: stolen, now })

  pass(3601)
  await thief.sync()
  await expect(client.sync()).rejects.toMatchObject({ code: 'signed_out' })

  expect(await tokens.read()).toBeUndefined()
})

test('clients that share a storage with a lock never use a retired token', async () => {
  const { server, now, pass, send, requests } = await open()
  let turn: Promise<unknown> = Promise.resolve()
  const lock = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work)
    turn = next.catch(() => undefined)
    return next
  }
  const tokens = { ...createMemoryTokenStorage(), lock }
  const tabs = Array.from({ length: 5 }, () => createTestClient(server, { tokens, now, fetch: send }))
  await tabs[0]?.signIn('anna', 'correct horse')

  pass(3601)
  await Promise.all(tabs.map((tab) => tab.sync()))
  pass(3601)
  await Promise.all(tabs.map((tab) => tab.sync()))

  expect(tokenCalls(requests)).toBe(3)
})

test('signing out ends the session on the server and deletes the tokens', async () => {
  const { client, tokens, server } = await open()
  await client.signIn('anna', 'correct horse')
  const known = await tokens.read()

  expect(await client.signOut()).toBe(true)

  expect(await tokens.read()).toBeUndefined()
  expect((await server.get('/test', { token: known?.accessToken ?? '' })).status).toBe(401)
})

test('signing out deletes the tokens also without the server', async () => {
  const { client, tokens, setFault } = await open()
  await client.signIn('anna', 'correct horse')

  setFault(lost)
  expect(await client.signOut()).toBe(false)

  expect(await tokens.read()).toBeUndefined()
})

test('an abort is thrown as it is', async () => {
  const { client } = await open()
  await client.signIn('anna', 'correct horse')

  await expect(client.sync({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
})

const listen = async (respond: RequestListener): Promise<string> => {
  const server = createServer(respond)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
}

test('a redirect of the token endpoint does not send the password or a token to another server', async () => {
  const stolen: string[] = []
  const thief = await listen((request, response) => {
    stolen.push(String(request.url))
    response.end('{}')
  })
  const baseUrl = await listen((request, response) => {
    response.writeHead(307, { location: `${thief}${request.url?.slice(4)}` }).end()
  })
  const tokens = createMemoryTokenStorage()
  const client = createClient({ baseUrl, clientId: 'app', clientSecret: 'secret', tokens, retry: {} })

  const message = 'the server redirects requests with secrets; use the URL behind the redirect as baseUrl'
  const expected = { code: 'unexpected_response', status: 307, message }
  await expect(client.signIn('anna', 'correct horse')).rejects.toMatchObject(expected)
  await tokens.write({ accessToken: 'a', requestToken: 'r', session: 's', expiresAt: Number.POSITIVE_INFINITY })
  expect(await client.signOut()).toBe(false)
  expect(stolen).toEqual([])
})

test('a token that is rejected with the status 200 is refreshed, and the upload is sent once more', async () => {
  const { client, requests, setFault } = await open()
  await client.signIn('anna', 'correct horse')
  const body = { error: 'invalid_grant', error_description: 'The access token provided is invalid' }
  let rejections = 1
  setFault((request) =>
    request.url.endsWith('/sync') && rejections-- > 0 ? Promise.resolve(Response.json(body)) : undefined,
  )

  const { things } = await client.sync({ from: 0, new_thing: [{ local_id: 'a', title: 'sent once' }] })

  expect(Object.keys(things?.new ?? {})).toEqual(['a'])
  expect(requests).toEqual(['POST /token', 'POST /sync', 'POST /token', 'POST /sync'])
  rejections = 2
  await expect(client.sync({ tag: { home: { favorite: true } } })).rejects.toMatchObject({ code: 'rejected' })
})

test.each(['api', 'sync'] as const)(
  'a token that is rejected with the status 200 is refreshed once, by %s',
  async (way) => {
    const { client, tokens, requests, setFault } = await open()
    await client.signIn('anna', 'correct horse')
    const rejected = (await tokens.read())?.accessToken
    setFault((request) =>
      request.headers.get('authorization') === `Bearer ${rejected}`
        ? Promise.resolve(Response.json({ error: 'invalid_grant' }))
        : undefined,
    )

    if (way === 'sync') expect(await client.sync()).toEqual({ pos: 0 })
    else expect(await client.api.GET('/user/get')).toMatchObject({ data: { username: 'anna' } })

    expect(tokenCalls(requests)).toBe(2)
  },
)

test('the token endpoint may reject with the status 200', async () => {
  const { client, tokens, pass, setFault } = await open()
  await client.signIn('anna', 'correct horse')
  setFault(async () => Response.json({ error: 'invalid_grant' }))

  pass(3601)
  await expect(client.sync()).rejects.toMatchObject({ code: 'signed_out' })
  expect(await tokens.read()).toBeUndefined()
  const expected = { code: 'rejected', status: 200, error: 'invalid_grant' }
  await expect(client.signIn('anna', 'wrong')).rejects.toMatchObject(expected)
})

test('a revocation that fails with the status 200 is not confirmed', async () => {
  const { client, setFault } = await open()
  await client.signIn('anna', 'correct horse')
  setFault(async () => Response.json({ error: 'invalid_client' }))

  expect(await client.signOut()).toBe(false)
})
