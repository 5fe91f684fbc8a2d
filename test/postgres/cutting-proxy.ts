import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a database, whose connections break. */
export interface CuttingProxy {
  readonly port: number
  /** Breaks every connection, whatever is on its way: half of them only towards the database, or away from it. */
  readonly cut: () => void
  readonly countCuts: () => number
  readonly close: () => Promise<void>
}

/** Opens a proxy to a port of 127.0.0.1, or to the port that `target` returns when a client connects. */
export const openCuttingProxy = async (target: number | (() => number)): Promise<CuttingProxy> => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(typeof target === 'number' ? target : target(), '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        for (const other of pair) other.destroy()
        pairs.delete(pair)
      })
    }
    near.pipe(far)
    far.pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const cut = (): void => {
    for (const [near, far] of pairs) {
      cuts += 1
      // What was sent may still be on its way: the database does it, and the response is lost.
      near.unpipe(far)
      far.unpipe(near)
      near.resetAndDestroy()
      far.end()
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    countCuts: () => cuts,
    close: async () => {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
