/**
 * `npx tsx scripts/measure-log-line.ts`: measures the CPU time of one line of the request log, in this process: its entry,
 * its text, and the write to `/dev/null`. It compares requests with a log and without, nine times in turns.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { destination } from 'pino'
import { createFindClientAddress } from '../src/http/client-address.ts'
import { createRequestIds, createRequestLog } from '../src/http/request-log.ts'
import { createLogTo, gatherLines } from '../src/log/log.ts'

const requestsPerTurn = 64
const requests = 400_000
const rounds = 9

const log = createLogTo(gatherLines(destination({ dest: '/dev/null', sync: false })), 'info')
const noteRequest = createRequestLog({ log }, createRequestIds(), createFindClientAddress([]))

/** The parts of a request and its response that the log reads. */
class TestRequest {
  readonly method = 'GET'
  readonly url = '/v1/sync?from=12345'
  readonly headers = { host: 'things.example' }
  readonly socket = { remoteAddress: '127.0.0.1' }
}
class TestResponse {
  readonly headersSent = true
  readonly statusCode = 200
  readonly writableFinished = true
  close = (): void => undefined
  on(_name: string, listener: () => void): void {
    this.close = listener
  }
}
class TestState {
  readonly userId = 'user-0'
  readonly operation = 'sync'
  readonly target = { path: '/v1/sync', query: 'from=12345' }
}

/** Holds what a turn created, so that the engine creates it without a log too. */
const turn: unknown[] = []

/** Serves requests that are only objects, and returns the CPU time of each, in µs. */
async function serve(isLogged: boolean): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < requests; count++) {
    const [request, response, state] = [new TestRequest(), new TestResponse(), new TestState()]
    turn.push(request, response, state)
    if (isLogged) {
      const [req, res] = [request as unknown as IncomingMessage, response as unknown as ServerResponse]
      noteRequest({ req, res, state })
      response.close()
    }
    if (count % requestsPerTurn === 0) {
      turn.length = 0
      await nextTurn()
    }
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}

const costs: number[] = []
for (let round = 0; round < rounds; round++) {
  const [without, logged] = [await serve(false), await serve(true)]
  costs.push(logged - without)
}
costs.sort((a, b) => a - b)
const [least = 0, median = 0, most = 0] = [costs[0], costs[rounds >> 1], costs.at(-1)]
console.log(
  `a log line takes ${median.toFixed(1)} µs of CPU [${least.toFixed(1)}..${most.toFixed(1)}], Node ${process.version}`,
)
