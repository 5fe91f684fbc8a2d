import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { type Client, openClient } from './client.ts'
import type { Exchange } from './result.ts'
import { Blocked, NoResponse } from './result.ts'

const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const credentials = {
  clientId: 'app',
  clientSecret: 'the client secret',
  users: [{ username: 'a', password: 'pa ss+w' }],
}

const open = async (
  listener: RequestListener,
  more: { timeoutMs?: number; throttleMs?: number } = {},
): Promise<Client> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = openClient({ baseUrl: `http://127.0.0.1:${port}/v1/`, ...credentials, ...more })
  closers.push(() => {
    client.close()
    server.closeAllConnections()
    server.close()
  })
  return client
}

const ignore = (): void => {}

test('a slow response in small pieces is read to its end', async () => {
  const client = await open(async (_request, response) => {
    for (const piece of ['{"po', 's":', '7}']) {
      response.write(piece)
      await pause(20)
    }
    response.end()
  })

  const reply = await client.send({ path: 'sync' }, ignore)

  expect(reply.json).toEqual({ pos: 7 })
})

test('a compressed response is read although the request did not allow it', async () => {
  const client = await open((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"pos":7}'))
  })

  expect((await client.send({ path: 'sync' }, ignore)).json).toEqual({ pos: 7 })
})

test('a throttled request is sent again after the time that the server names', async () => {
  let count = 0
  const client = await open((_request, response) => {
    count += 1
    if (count === 1) response.writeHead(429, { 'retry-after': '0' }).end()
    else response.end('{"pos":1}')
  })
  const exchanges: Exchange[] = []

  const reply = await client.send({ path: 'sync' }, (exchange) => exchanges.push(exchange))

  expect([reply.status, exchanges.map(({ status }) => status)]).toEqual([200, [429, 200]])
})

test('a server that throttles for longer than throttleMs blocks the rule and does not fail it', async () => {
  const client = await open((_request, response) => response.writeHead(429, { 'retry-after': '60' }).end(), {
    throttleMs: 1000,
  })

  await expect(client.send({ path: 'sync' }, ignore)).rejects.toThrow(Blocked)
})

test('a request to a silent server ends after the time-out', async () => {
  const client = await open(ignore, { timeoutMs: 60 })

  await expect(client.send({ path: 'sync' }, ignore)).rejects.toThrow(NoResponse)
})

test('a response that breaks off is no response', async () => {
  const client = await open((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"pos"')
    setTimeout(() => response.destroy(), 20)
  })

  await expect(client.send({ path: 'sync' }, ignore)).rejects.toThrow(NoResponse)
})

test('a persistent connection that the server has closed is replaced', async () => {
  const client = await open((request, response) => {
    response.end('{"pos":1}', () => setTimeout(() => request.socket.destroy(), 5))
  })
  await client.send({ path: 'sync' }, ignore)
  await pause(3)

  const replies = await Promise.all([1, 2, 3].map(() => client.send({ path: 'sync' }, ignore)))

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('bytes that are not UTF-8 are not JSON', async () => {
  const client = await open((_request, response) => response.end(Buffer.from('{"title":"\xe9"}', 'latin1')))

  const reply = await client.send({ path: 'sync' }, ignore)

  expect([reply.isUtf8, reply.json]).toEqual([false, undefined])
})

test('no secret is recorded: neither the password nor a token of the response, in any encoding', async () => {
  const client = await open((request, response) => {
    response.setHeader('x-echo', request.headers.authorization ?? '')
    response.end('{"access_token":"acc/ess+1","request_token":"req-uest","hint":"acc/ess+1"}')
  })
  const exchanges: Exchange[] = []
  const record = (exchange: Exchange): void => {
    exchanges.push(exchange)
  }

  await client.send(
    {
      path: 'token',
      form: [
        ['password', 'pa ss+w'],
        ['client_secret', 'the client secret'],
      ],
    },
    record,
  )
  await client.send(
    { path: 'sync', query: [['access_token', 'acc/ess+1']], headers: { authorization: 'Bearer acc/ess+1' } },
    record,
  )
  await client.send({ path: 'sync', query: [['refresh_token', 'never announced']] }, record)

  const text = JSON.stringify(exchanges)
  for (const secret of [
    'pa ss',
    'pa+ss',
    'pa%20ss',
    'client secret',
    'client+secret',
    'ess+1',
    'ess%2B1',
    'req-uest',
    'announced',
  ]) {
    expect(text).not.toContain(secret)
  }
  expect(exchanges[1]?.requestHeaders.authorization).toBe(`Bearer $${'{ACCESS_TOKEN}'}`)
})

test('a response that decompresses to more than the maximum is no response, and is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024))
  const client = await open((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })

  await expect(client.send({ path: 'sync' }, ignore)).rejects.toThrow('unpacks to more than 268435456 bytes')
})
