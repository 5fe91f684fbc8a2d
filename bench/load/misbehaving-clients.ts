import { connect } from 'node:net'
import { attacks } from './attacks.ts'

/** Maximum time of an attack on one connection, in milliseconds. */
const maxConnectionMilliseconds = 1_000

/** The counts of the clients up to the time of the message. `rejected`: connections that the server did not accept. */
export interface MisbehavingClients {
  readonly connections: number
  readonly rejected: number
}

/**
 * Unauthenticated clients that run one attack after the other, until the process ends:
 * `misbehaving-clients.ts PORT COUNT`. Sends `{}` after the start, and `MisbehavingClients` for each message.
 */
const [port = 0, count = 0] = process.argv.slice(2).map(Number)
const kinds = Object.values(attacks)
let [connections, rejected] = [0, 0]

const attackFrom = (kind: number): void => {
  const socket = connect(port, '127.0.0.1')
  const timer = setTimeout(() => socket.destroy(), maxConnectionMilliseconds)
  socket.once('connect', () => {
    connections += 1
    kinds[kind % kinds.length]?.(socket)
  })
  // The server may close the connection of an attacker, but it must accept each connection.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') rejected += 1
  })
  socket.resume()
  socket.once('close', () => {
    clearTimeout(timer)
    setTimeout(() => attackFrom(kind + count), 20)
  })
}

for (let client = 0; client < count; client += 1) attackFrom(client)
process.on('message', () => process.send?.({ connections, rejected } satisfies MisbehavingClients))
process.on('disconnect', () => process.exit())
process.send?.({})
