import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createSender } from './send.ts'

const piece = Buffer.alloc(256 * 1024, 'x')

/** Opens chunks of many megabytes that note how many were read, and their end. */
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

/** Opens a server whose responses share a sender; returns a function that sends a request. */
const openServer = async (respond: (sender: ReturnType<typeof createSender>, response: ServerResponse) => void) => {
  const sender = createSender()
  const server = createServer((_request, response) => respond(sender, response))
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

test('a client that reads gets all bytes, and timers run meanwhile', async () => {
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

test('few chunks are read for a client that does not read, and its end returns the others', async () => {
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

test('chunks that fail close the connection', async () => {
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

test.each([0, 1, 3, 100 * 1024, 1024 * 1024, 5 * 1024 * 1024 + 1])(
  'a response of %i bytes arrives completely, in pieces of any size',
  async (size) => {
    const body = Buffer.from(Array.from({ length: size }, (_, at) => at % 251))
    async function* cut() {
      for (const step of [1, 10, 3000, 64 * 1024, 700_000]) {
        const end = Math.floor((size * (step % 7)) / 7)
        yield body.subarray(0, end)
        yield body.subarray(end)
      }
    }
    const call = await openServer((sender, response) => void sender.send(response, cut()))

    const received = await buffer(await call())

    expect(received.equals(Buffer.concat([body, body, body, body, body]))).toBe(true)
  },
)

test.each<[string, number]>([
  ['fewer', 3 * piece.length + 1],
  ['more', 3 * piece.length - 1],
])('chunks of %s bytes than the Content-Length close the connection', async (_name, promised) => {
  let failure: unknown
  const call = await openServer((sender, response) => {
    response.setHeader('content-length', promised)
    sender.send(response, openChunks(3).chunks).catch((error: unknown) => {
      failure = error
    })
  })

  const response = await call()
  await expect(buffer(response)).rejects.toThrow('aborted')
  expect(String(failure)).toContain(`${promised} that were promised`)
})

test('a response breaks off when bytes are lost before they reach the connection', async () => {
  let failure: unknown
  const call = await openServer((sender, response) => {
    const write = response.write.bind(response)
    let count = 0
    // Some versions of Node do this when a corked response ends.
    response.write = (chunk: Buffer) => (++count === 3 ? true : write(chunk))
    sender.send(response, openChunks(3).chunks).catch((error: unknown) => {
      failure = error
    })
  })

  await expect(buffer(await call())).rejects.toThrow('aborted')
  expect(String(failure)).toMatch(/of 786432 bytes of a response only \d+ reached its connection/)
})

test('a response whose connection was ended meanwhile throws nothing', async () => {
  let failure: unknown = 'not finished'
  const call = await openServer((sender, response) => {
    response.socket?.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    sender.send(response, openChunks(3).chunks).then(
      () => {
        failure = undefined
      },
      (error: unknown) => {
        failure = error
      },
    )
  })

  expect((await call()).statusCode).toBe(400)
  await expect.poll(() => failure).toBeUndefined()
})

test('two of many responses of an owner run at a time, next to those of another owner', async () => {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let running = 0
  async function* slow() {
    running += 1
    await gate
    yield piece
  }
  let begun = 0
  const call = await openServer((sender, response) => {
    begun += 1
    // The last response belongs to the other owner.
    if (begun > 40) void sender.send(response, openChunks(20).chunks, 'few')
    else void sender.send(response, slow(), 'many')
  })
  const many = Array.from({ length: 40 }, async () => (await buffer(await call())).length)
  while (begun < 40) await new Promise((resolve) => setTimeout(resolve, 1))

  const few = await buffer(await call())
  const runningMeanwhile = running
  open()

  expect([few.length, runningMeanwhile]).toEqual([20 * piece.length, 2])
  expect(await Promise.all(many)).toEqual(Array.from({ length: 40 }, () => piece.length))
})

test('a waiting response whose client is gone leaves the queue to the others', async () => {
  let ended = 0
  const call = await openServer((sender, response) => {
    void sender.send(response, openChunks(40).chunks, 'one').then(() => {
      ended += 1
    })
  })
  const responses = await Promise.all(Array.from({ length: 6 }, call))
  for (const response of responses.slice(0, 3)) response.destroy()

  const lengths = await Promise.all(responses.slice(3).map(async (response) => (await buffer(response)).length))

  expect(lengths).toEqual([40, 40, 40].map((count) => count * piece.length))
  while (ended < 6) await new Promise((resolve) => setTimeout(resolve, 1))
})
