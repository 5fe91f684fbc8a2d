import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type EventStream, openEventStream } from './http.ts'
import { NoResponse } from './result.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Opens a stream of the texts that the server writes. */
const open = async (respond: (response: ServerResponse) => void, timeoutMs = 5000): Promise<EventStream> => {
  const server = createServer((_request, response) => respond(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return openEventStream({ method: 'GET', url: new URL(`http://127.0.0.1:${port}/`), headers: {} }, timeoutMs)
}

test('events are read in chunks of any size, and comments are no events', async () => {
  const text = ': hello\n\nid: 1\ndata: {"pos": 1}\n\n:\n\nevent: x\r\nid:2\r\ndata: a\r\ndata: b\r\n\r\nid: 3\n\n'
  const stream = await open(async (response) => {
    for (const letter of text) {
      response.write(letter)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  })
  const events = [await stream.take(5000), await stream.take(5000), await stream.take(5000)]

  expect(events).toEqual([
    { id: '1', event: undefined, data: '{"pos": 1}' },
    { id: '2', event: 'x', data: 'a\nb' },
    undefined,
  ])
  expect(await stream.hasEnded(5000)).toBe(true)
  expect(stream.text()).toBe(text)
})

test('a response that is no success is read to its end', async () => {
  const stream = await open((response) => {
    response.writeHead(429, { 'retry-after': '5' })
    response.write('{"error":')
    setImmediate(() => response.end('"slow_down"}'))
  })

  expect([stream.status, stream.headers['retry-after'], stream.text()]).toEqual([429, '5', '{"error":"slow_down"}'])
})

test('an open stream has not ended, and a stream that the server breaks off has', async () => {
  let response: ServerResponse | undefined
  const stream = await open((begun) => {
    response = begun
    begun.write('id: 1\ndata: x\n\n')
  })

  await stream.take(5000)
  expect(await stream.hasEnded(0)).toBe(false)
  response?.destroy()
  expect(await stream.hasEnded(5000)).toBe(true)
})

test('a server that does not begin to respond gives no stream', async () => {
  await expect(open(() => {}, 50)).rejects.toThrow(NoResponse)
})
