import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createSender } from './send-chunks.ts'

const piece = Buffer.alloc(256 * 1024, 'x')

/** Many megabytes that say how many of them were taken, and when they were given back. */
const openChunks = (count: number, failAt = Number.POSITIVE_INFINITY) => {
  const state = { taken: 0, isEnded: false }
  async function* chunks() {
    try {
      for (; state.taken < count; state.taken += 1) {
        if (state.taken === failAt) throw new Error('the disk is gone')
        yield piece
      }
    } finally {
      state.isEnded = true
    }
  }
  return { state, chunks: chunks() }
}

/** A server that sends with one sender, and what its answers are told. */
const openServer = async (answer: (sender: ReturnType<typeof createSender>, response: ServerResponse) => void) => {
  const sender = createSender()
  const server = createServer((_request, response) => answer(sender, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return async (): Promise<IncomingMessage> => {
    const call = request({ port, host: '127.0.0.1', agent: false }).end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    return response
  }
}

test('a client that reads gets everything, and timers have their turn meanwhile', async () => {
  let turns = 0
  const { chunks } = openChunks(400)
  const call = await openServer((sender, response) => void sender.send(response, chunks))
  const timer = setInterval(() => {
    turns += 1
  }, 1)

  const received = await text(await call())

  clearInterval(timer)
  expect(received.length).toBe(400 * piece.length)
  expect(turns).toBeGreaterThan(3)
})

test('for a client that does not read little is taken, and its going away gives the rest back', async () => {
  const { chunks, state } = openChunks(1000)
  const call = await openServer((sender, response) => void sender.send(response, chunks))
  const response = await call()
  response.pause()

  await new Promise((resolve) => setTimeout(resolve, 200))
  const taken = state.taken
  await new Promise((resolve) => setTimeout(resolve, 200))

  expect(taken).toBeLessThan(100)
  expect(state.taken).toBe(taken)
  response.destroy()
  await expect.poll(() => state.isEnded).toBe(true)
})

test('chunks that fail break the connection off', async () => {
  const { chunks } = openChunks(1000, 30)
  let failure: unknown
  const call = await openServer((sender, response) => {
    sender.send(response, chunks).catch((error: unknown) => {
      failure = error
    })
  })

  await expect(text(await call())).rejects.toThrow('aborted')
  expect(failure).toEqual(new Error('the disk is gone'))
})
