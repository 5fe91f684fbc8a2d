import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createConnections, createLookForLost, formatPeer, listUnacknowledged } from './connections.ts'

/** A server whose answers never end, and clients that read nothing until they are told to. */
const openTrial = async (host: string) => {
  const connections = createConnections()
  const responses: ServerResponse[] = []
  const server = createServer((request, response) => {
    connections.addRequest(request, response)
    response.flushHeaders()
    responses.push(response)
  })
  server.on('connection', connections.add)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const openClient = async (): Promise<{ readonly client: Socket; readonly response: ServerResponse }> => {
    const client = connect(port, host === '::' ? '127.0.0.1' : host).pause()
    client.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
    onTestFinished(() => void client.destroy())
    const count = responses.length
    await expect.poll(() => responses.length).toBe(count + 1)
    return { client, response: responses.at(-1) as ServerResponse }
  }
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { connections, port, openClient }
}

/** Sends until the other side's kernel takes no more and ours still does: to ours that looks as if its network was gone. */
const sendTooMuch = async (response: ServerResponse, port: number): Promise<void> => {
  const { socket } = response.req
  const countLeft = async () =>
    (await listUnacknowledged(port)).get(formatPeer(socket.remoteAddress, socket.remotePort)) ?? 0
  for (;;) {
    const left = await countLeft()
    await new Promise((resolve) => setTimeout(resolve, left === 0 ? 0 : 100))
    // What is only on its way has arrived by now.
    if (left > 0 && (await countLeft()) === left) return
    await new Promise((resolve) => response.write(Buffer.alloc(32_768), resolve))
  }
}

// Other systems do not tell what was not acknowledged.
for (const host of ['127.0.0.1', '::1', '::']) {
  test.runIf(process.platform === 'linux')(
    `of streams at ${host} those are dropped that acknowledge nothing`,
    async () => {
      const { connections, port, openClient } = await openTrial(host)
      const look = createLookForLost(connections)
      const [lost, slow, silent] = [await openClient(), await openClient(), await openClient()]
      await sendTooMuch(lost.response, port)
      await sendTooMuch(slow.response, port)

      await look(port)
      expect(lost.response.destroyed).toBe(false)
      slow.client.resume()
      await expect.poll(async () => (await listUnacknowledged(port)).size).toBe(1)
      await look(port)

      expect([lost, slow, silent].map(({ response }) => response.req.socket.destroyed)).toEqual([true, false, false])
    },
  )
}
