import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves a floor on a free port of 127.0.0.1 and tells the bench which. It ends when the bench does. */
export const serveFloor = (listener: RequestListener): void => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.on('disconnect', () => process.exit())
}
