import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { expect, onTestFinished, test } from 'vitest'
import { writeEventStream } from './response.ts'

const countListeners = (response: ServerResponse) =>
  [response, response.socket].map((emitter) => emitter?.eventNames().map((name) => [name, emitter.listenerCount(name)]))

test('an event stream that has begun has listeners of Node only, and none of Koa', async () => {
  const counts: unknown[] = []
  const app = new Koa()
  app.use((ctx) => {
    const begin = () => counts.push(countListeners(ctx.res))
    writeEventStream(ctx, { status: 200, events: { begin } }, 'name')
  })
  const handle = app.callback()
  const server = createServer((request, response) => {
    counts.push(countListeners(response))
    handle(request, response)
  })
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  const [response] = await once(request, 'response')

  expect(response.statusCode).toBe(200)
  expect(counts).toHaveLength(2)
  expect(counts[1]).toEqual(counts[0])
})
