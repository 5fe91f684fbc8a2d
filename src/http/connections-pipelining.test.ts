import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openTestServer } from '../../test/support/open-test-server.ts'

/** Sends `count` requests in one piece; returns how many responses arrived before the connection ended. */
const countResponses = async (port: number, count: number): Promise<number> => {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(count))
  let received = ''
  const responses = () => received.split('HTTP/1.1 200').length - 1
  try {
    for await (const chunk of socket) {
      received += chunk
      if (responses() === count) break
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
  socket.destroy()
  return responses()
}

test('pipelined requests get responses, and a connection with more than 64 waiting is closed', async () => {
  const server = await openTestServer()
  const port = Number(new URL(server.baseUrl).port)

  const few = await countResponses(port, 64)
  const many = await countResponses(port, 1_000)
  const afterwards = await countResponses(port, 1)

  expect([few, afterwards]).toEqual([64, 1])
  expect(many).toBeLessThan(65)
})
