import { expect, test } from 'vitest'
import { findFreePort } from '../../test/free-port.ts'
import { openRawReceiver } from '../../test/support/outbound-receiver.ts'
import { openPinnedConnection } from './connection.ts'

test('a connection goes to the first address that accepts it, and reports its progress', async () => {
  const receiver = await openRawReceiver((socket) => socket.end())
  const both = ['::1', '127.0.0.1']

  const connections = [
    openPinnedConnection(new URL(`http://name.test:${receiver.port}/`), both),
    openPinnedConnection(new URL(`https://name.test:${receiver.port}/`), ['127.0.0.1']),
    openPinnedConnection(new URL(`http://name.test:${await findFreePort()}/`), ['127.0.0.1']),
  ]
  const closed = connections.map(({ socket }) => new Promise((resolve) => socket.resume().once('close', resolve)))
  await Promise.all(closed)

  expect(connections.map(({ reached }) => reached())).toEqual(['receiver', 'socket', 'nothing'])
  expect(receiver.connections()).toBe(2)
})
