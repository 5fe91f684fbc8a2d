import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { createConnections } from './connections.ts'

test('a response runs from its request until it is sent, even after others on its connection', async () => {
  const connections = createConnections()
  const responses: ServerResponse[] = []
  const server = createServer((request, response) => {
    connections.addRequest(request, response)
    responses.push(response)
    server.emit('noted', responses.length)
  })
  server.on('connection', connections.add)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const show = () =>
    [...connections.list()].map((socket) => connections.listRunning(socket).map((a) => responses.indexOf(a)))
  const get = async (count: number) => {
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(count))
    const wanted = responses.length + count
    while (responses.length < wanted) await once(server, 'noted')
  }
  const send = async (response: ServerResponse | undefined) => {
    response?.end()
    if (response !== undefined) await once(response, 'close')
  }

  await once(client, 'connect')
  await get(3)
  expect(show()).toEqual([[0, 1, 2]])
  await send(responses[0])
  expect(show()).toEqual([[1, 2]])
  await send(responses[1])
  await send(responses[2])
  expect(show()).toEqual([[]])
  await get(1)
  expect(show()).toEqual([[3]])

  client.destroy()
  await once(responses[3] as ServerResponse, 'close')
  expect(show().flat()).toEqual([])
  server.close()
})
