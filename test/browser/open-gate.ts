import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { openServerAsReceiver } from '../support/outbound-receiver.ts'

/** The response that the proxy sends itself, instead of the server. */
export interface Turned {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/**
 * Says of each request what becomes of it: `pass` hands it on, `drop` breaks the connection off. `body` is what it says,
 * for uploads.
 */
export type GateRule = (path: string, method: string, body: string) => Verdict | Promise<Verdict>

/** What a rule says. */
export type Verdict = 'pass' | 'drop' | Turned

/** A proxy in front of a server, which lets through what its rule allows. */
export interface Gate {
  /** Where the web app is reached through it. */
  readonly home: string
  readonly setRule: (rule: GateRule) => void
  /** What was requested so far, as `GET /v1/sync`. */
  readonly requested: readonly string[]
}

const passOn = (target: URL, from: IncomingMessage, body: string, to: ServerResponse): void => {
  const { method, headers, url } = from
  const onward = request({ host: target.hostname, port: target.port, path: url, method, headers }, (response) => {
    to.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(to)
  })
  onward.on('error', () => to.destroy())
  to.on('close', () => onward.destroy())
  onward.end(body)
}

/** Opens a gate in front of the server with this home, until the test is finished; at first everything passes. */
export const openGate = async (home: string): Promise<Gate> => {
  const target = new URL(home)
  const requested: string[] = []
  let rule: GateRule = () => 'pass'
  const server = createServer(async (from, to) => {
    const { method = '', url = '' } = from
    const body = await text(from)
    requested.push(`${method} ${url.split('?')[0]}`)
    const turned = await rule(url, method, body)
    if (turned === 'pass') return passOn(target, from, body, to)
    if (turned === 'drop') return to.destroy()
    to.writeHead(turned.status, turned.headers).end(turned.body)
  })
  return {
    home: `http://127.0.0.1:${(await openServerAsReceiver(server)).port}/`,
    requested,
    setRule: (next) => {
      rule = next
    },
  }
}
