import { expect, test } from 'vitest'
import { createPinnedConnection, type PinnedConnection } from './pinned-connection.ts'
import { findClosedPort, openRawReceiver } from './receiver-trial.ts'

const connect = ({ connect: open }: PinnedConnection, protocol: string, port: number) =>
  new Promise<string>((resolve) => {
    open({ hostname: 'name.test', protocol, port: String(port) }, (...[error]) =>
      resolve(error?.message ?? 'connected'),
    )
  })

test('a connection goes to the first of its addresses that takes it, once, and tells how far it came', async () => {
  const receiver = await openRawReceiver((socket) => socket.end())
  const connections = [
    createPinnedConnection('name.test', ['::1', '127.0.0.1']),
    createPinnedConnection('name.test', ['127.0.0.1']),
    createPinnedConnection('name.test', ['127.0.0.1']),
  ] as const
  const [plain, secure, closed] = connections

  const first = await connect(plain, 'http:', receiver.port)
  const second = await connect(plain, 'http:', receiver.port)
  await connect(secure, 'https:', receiver.port)
  await connect(closed, 'http:', await findClosedPort())
  for (const connection of connections) connection.close()

  expect([first, second]).toEqual(['connected', 'the connection was lost'])
  expect(connections.map(({ reached }) => reached())).toEqual(['receiver', 'socket', 'nothing'])
  expect(receiver.connections()).toBe(2)
})
