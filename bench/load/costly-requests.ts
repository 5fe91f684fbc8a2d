import { connect } from 'node:net'
import { repeatedAttacks } from './attacks.ts'
import { createResponseReader } from './run-job.ts'

/** What the attackers did until they were asked. */
export interface CostlyRequests {
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>
  readonly broken: number
}

/**
 * Clients that send one attack again and again, each on a connection of its own, until the process is ended:
 * `attackers.ts PORT TOKEN COUNT NAME`. Says `{}` when it has begun, and answers each message with what was done.
 */
const [port = '', token = '', count = '', name = ''] = process.argv.slice(2)
const statuses: Record<string, number> = {}
let [sent, broken] = [0, 0]

const prepare = repeatedAttacks[name]
if (prepare === undefined) throw new Error(`there is no attack "${name}"`)
const makeRequest = await prepare({ port: Number(port), token })

const attack = (): void => {
  const socket = connect(Number(port), '127.0.0.1')
  const next = (): void => {
    sent += 1
    if (!socket.destroyed) socket.write(makeRequest(sent))
  }
  const read = createResponseReader(({ status, isLast }) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    // In a later turn, so that clients whose answers come at once take turns.
    if (isLast) socket.destroy()
    else setImmediate(next)
  }, false)
  socket.once('connect', next).on('data', read)
  // Being thrown out is what an attacker expects.
  socket.on('error', () => {
    broken += 1
  })
  socket.once('close', () => setTimeout(attack, 20))
}

for (let client = 0; client < Number(count); client += 1) attack()
process.on('message', () => process.send?.({ statuses, broken } satisfies CostlyRequests))
process.on('disconnect', () => process.exit())
process.send?.({})
