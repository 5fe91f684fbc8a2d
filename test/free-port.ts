import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to connections and to servers that request any. */
const [min, count] = [10_000, 9_000]

/** A port of 127.0.0.1 on which nobody listens now, for a program that cannot choose one. */
export const findFreePort = async (): Promise<number> => {
  while (true) {
    const port = min + Math.floor(Math.random() * count)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
