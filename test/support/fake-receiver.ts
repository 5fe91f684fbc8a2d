import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that a receiver got, as it stands in a test. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The body as JSON. */
  readonly message: { readonly type: string; readonly data: ReceivedData; readonly timestamp: string }
}

/** `data` of a message. */
export interface ReceivedData {
  readonly pos: number
  readonly ids: readonly string[]
  readonly things?: readonly { readonly _id: string }[]
  readonly tags?: object
  readonly truncated?: true
}

/** A real receiver on a free port of this machine, which responds as a test wants; closed when the test is finished. */
export interface Receiver {
  readonly url: string
  /** All that came. */
  readonly received: readonly Received[]
  /** Status, headers, or both by hand; 200 at first. */
  respond: (response: ServerResponse, request: Received) => void
  /** Resolves when so many have come altogether. */
  readonly untilReceived: (count: number) => Promise<void>
}

const readJson = (text: string): Received['message'] => {
  try {
    return JSON.parse(text)
  } catch (error) {
    // A push message is encrypted.
    if (error instanceof SyntaxError) return { type: '', timestamp: '', data: { pos: 0, ids: [] } }
    throw error
  }
}

/** Opens a receiver, at an address of this machine: 127.0.0.1, or any other one of the loopback's. */
export const openReceiver = async (host = '127.0.0.1'): Promise<Receiver> => {
  const received: Received[] = []
  let waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const one = { path: request.url ?? '', headers: request.headers, body, message: readJson(body.toString()) }
    received.push(one)
    receiver.respond(response, one)
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const receiver: Receiver = {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    received,
    respond: (response) => void response.end(),
    untilReceived: async (count) => {
      while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
  return receiver
}

/** Responds with a status and headers. */
export const respondWith =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end()
