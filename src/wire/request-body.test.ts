import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { readBody } from './request-body.ts'

/**
 * Opens a server that reads a body of at most `maxBytes`, and a connection that sends `head` and `body`. `outcome` is
 * the outcome of reading; `respond` sends a response and returns all bytes that the client receives.
 */
const post = async (head: string, body = '', maxBytes = 1000) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1')
  onTestFinished(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n${body}`)

  const [request, response] = await once(server, 'request')
  const outcome = readBody(request, maxBytes).body.then(
    (read) => `read ${read}`,
    (error) => (error instanceof ApiError ? `rejected ${error.kind}` : `failed ${error}`),
  )
  const respond = async () => {
    response.setHeader('connection', 'close').end('the response')
    return (await socket.toArray()).join('')
  }
  return { socket, request, outcome, respond }
}

test('a body that arrives in pieces is read whole', async () => {
  const { socket, outcome } = await post('content-length: 6', 'abc')
  setTimeout(() => socket.write('def'), 20)

  expect(await outcome).toBe('read abcdef')
})

test('a long body is read whole, whether its length is announced or not', async () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `${index}|`).join('')
  const chunks = [text.slice(0, 7), text.slice(7, 70_000), text.slice(70_000)]
  const announced = await post(`content-length: ${text.length}`, text, text.length)
  const unannounced = await post('transfer-encoding: chunked', '', text.length)
  for (const chunk of chunks) unannounced.socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  unannounced.socket.write('0\r\n\r\n')

  expect((await announced.outcome) === `read ${text}`).toBe(true)
  expect((await unannounced.outcome) === `read ${text}`).toBe(true)
})

test('a request without a body has an empty body', async () => {
  const { outcome } = await post('content-length: 0')

  expect(await outcome).toBe('read ')
})

test('a body of exactly the limit is read, with the encoding identity', async () => {
  const { outcome } = await post('content-length: 1000\r\ncontent-encoding: identity', 'x'.repeat(1000))

  expect(await outcome).toBe(`read ${'x'.repeat(1000)}`)
})

test('a body whose announced length is above the limit is rejected before it is sent', async () => {
  const { outcome, respond } = await post('content-length: 1001')

  expect(await outcome).toBe('rejected bodyTooLarge')
  expect(await respond()).toContain('the response')
})

test('a body that exceeds the limit is rejected while it is sent', async () => {
  const { outcome, respond } = await post('transfer-encoding: chunked', `400\r\n${'x'.repeat(1024)}\r\n`)

  expect(await outcome).toBe('rejected bodyTooLarge')
  expect(await respond()).toContain('the response')
})

test('the rest of a rejected body is dropped, so that its sender can continue', async () => {
  const { socket, request, outcome } = await post('transfer-encoding: chunked', `400\r\n${'x'.repeat(1024)}\r\n`)
  await outcome

  socket.write(`100000\r\n${'x'.repeat(0x100000)}\r\n0\r\n\r\n`)

  await expect.poll(() => request.complete).toBe(true)
})

test('a body that its sender cuts off is rejected, at once and later', async () => {
  const { socket, request, outcome } = await post('content-length: 6', 'abc')
  socket.destroy()

  expect(await outcome).toBe('rejected bodyCutOff')
  await expect(readBody(request, 1000).body).rejects.toEqual(new ApiError('bodyCutOff'))
})

test.each(['gzip', 'br', 'deflate', 'GZIP', 'gzip, identity', 'zstd'])('a body in %s is rejected', async (encoding) => {
  const { outcome, respond } = await post(`content-length: 3\r\ncontent-encoding: ${encoding}`, 'abc')

  expect(await outcome).toBe('rejected unsupportedMediaType')
  expect(await respond()).toContain('the response')
})
