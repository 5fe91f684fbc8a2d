import { connect } from 'node:net'
import { attacks } from './attacks.ts'

/** How long a stranger stays on one connection before it begins anew, in milliseconds. */
const staysMilliseconds = 1_000

/** What the strangers did until they were asked, and how often the server could not be reached. */
export interface MisbehavingClients {
  readonly connections: number
  readonly rejected: number
}

/**
 * Strangers without an account, as many as are asked for, each with an attack of its own after the other, until the
 * process is ended: `strangers.ts PORT COUNT`. Says `{}` when it has begun, and answers each message with what was done.
 */
const [port = 0, count = 0] = process.argv.slice(2).map(Number)
const kinds = Object.values(attacks)
let [connections, rejected] = [0, 0]

const attackFrom = (kind: number): void => {
  const socket = connect(port, '127.0.0.1')
  const timer = setTimeout(() => socket.destroy(), staysMilliseconds)
  socket.once('connect', () => {
    connections += 1
    kinds[kind % kinds.length]?.(socket)
  })
  // Being thrown out is what a stranger expects; not being let in is counted.
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
