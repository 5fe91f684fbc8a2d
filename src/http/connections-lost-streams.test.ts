import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createConnections, createLostStreamCheck, formatPeer, listUnacknowledged } from './connections.ts'

/** Opens a server whose responses never end. Its clients read nothing until they are resumed. */
const openStreamServer = async (host: string) => {
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

/** Sends until the peer's kernel accepts no more bytes and ours still does: to ours the peer's network looks lost. */
const sendTooMuch = async (response: ServerResponse, port: number): Promise<void> => {
  const { socket } = response.req
  const countLeft = async () =>
    (await listUnacknowledged(port)).get(formatPeer(socket.remoteAddress, socket.remotePort)) ?? 0
  for (;;) {
    const left = await countLeft()
    await new Promise((resolve) => setTimeout(resolve, left === 0 ? 0 : 100))
    // Bytes that were only under way have arrived by now.
    if (left > 0 && (await countLeft()) === left) return
    await new Promise((resolve) => response.write(Buffer.alloc(32_768), resolve))
  }
}

// Other systems do not show unacknowledged bytes.
for (const host of ['127.0.0.1', '::1', '::']) {
  test.runIf(process.platform === 'linux')(
    `streams at ${host} are dropped when their clients acknowledge nothing`,
    async () => {
      const { connections, port, openClient } = await openStreamServer(host)
      const check = createLostStreamCheck(connections)
      const [lost, slow, silent] = [await openClient(), await openClient(), await openClient()]
      await sendTooMuch(lost.response, port)
      await sendTooMuch(slow.response, port)

      await check(port)
      expect(lost.response.destroyed).toBe(false)
      slow.client.resume()
      await expect.poll(async () => (await listUnacknowledged(port)).size).toBe(1)
      await check(port)

      expect([lost, slow, silent].map(({ response }) => response.req.socket.destroyed)).toEqual([true, false, false])
    },
  )
}
