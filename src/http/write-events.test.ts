import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { expect, onTestFinished, test } from 'vitest'
import { writeEvents } from './write-events.ts'

const countListeners = (answer: ServerResponse) =>
  [answer, answer.socket].map((emitter) => emitter?.eventNames().map((name) => [name, emitter.listenerCount(name)]))

test('a stream that has begun is watched by Node alone, and no longer by Koa', async () => {
  const counts: unknown[] = []
  const app = new Koa()
  app.use((ctx) => {
    const begin = () => counts.push(countListeners(ctx.res))
    writeEvents(ctx, { status: 200, events: { begin } }, 'name')
  })
  const handle = app.callback()
  const server = createServer((request, answer) => {
    counts.push(countListeners(answer))
    handle(request, answer)
  })
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  const [answer] = await once(request, 'response')

  expect(answer.statusCode).toBe(200)
  expect(counts).toHaveLength(2)
  expect(counts[1]).toEqual(counts[0])
})
