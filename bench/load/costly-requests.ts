import { connect } from 'node:net'
import { repeatedAttacks } from './attacks.ts'
import { createResponseReader } from './run-job.ts'

/** The counts of the attackers up to the time of the message. */
export interface CostlyRequests {
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Number of connections that ended with an error. */
  readonly broken: number
}

/**
 * Clients that repeat one attack, each on its own connection, until the process ends:
 * `costly-requests.ts PORT TOKEN COUNT NAME`. Sends `{}` after the start, and `CostlyRequests` for each message.
 */
const [port = '', token = '', count = '', name = ''] = process.argv.slice(2)
const statuses: Record<string, number> = {}
let [sent, broken] = [0, 0]

const prepare = repeatedAttacks[name]
if (prepare === undefined) throw new Error(`there is no attack "${name}"`)
const createRequest = await prepare({ port: Number(port), token })

const attack = (): void => {
  const socket = connect(Number(port), '127.0.0.1')
  const next = (): void => {
    sent += 1
    if (!socket.destroyed) socket.write(createRequest(sent))
  }
  const read = createResponseReader(({ status, isLast }) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    // In a later turn of the event loop, so that all clients send, also when responses arrive at once.
    if (isLast) socket.destroy()
    else setImmediate(next)
  }, false)
  socket.once('connect', next).on('data', read)
  // The server may close the connection of an attacker.
  socket.on('error', () => {
    broken += 1
  })
  socket.once('close', () => setTimeout(attack, 20))
}

for (let client = 0; client < Number(count); client += 1) attack()
process.on('message', () => process.send?.({ statuses, broken } satisfies CostlyRequests))
process.on('disconnect', () => process.exit())
process.send?.({})
