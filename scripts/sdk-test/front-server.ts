import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request on its way to the server behind: its path below the base address, with the query. */
export type GivenRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: string }

/** What came back for a request that was passed on. */
export type PassedAnswer = { status: number; body: string }

/** What a front server does with what passes. */
export type Watch = {
  /** A status and a sentence for a request that is refused here; nothing for one that is passed on unchanged. */
  judge?: (given: GivenRequest) => { status: number; description: string } | undefined
  /** Told of each answer before the client has it. */
  see?: (given: GivenRequest, answer: PassedAnswer) => void
}

const sendError = (response: ServerResponse, status: number, description: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: 'front_server', error_description: description }))
}

async function pass(target: URL, given: IncomingMessage, response: ServerResponse, watch: Watch): Promise<void> {
  const sent = await buffer(given)
  const path = (given.url ?? '').replace(/^\/v1\//, '')
  const seen = { method: given.method ?? '', path, headers: given.headers, body: sent.toString() }
  const refusal = watch.judge?.(seen)
  if (refusal !== undefined) return sendError(response, refusal.status, refusal.description)
  const url = new URL(path, target)
  // Answers are read here: nothing is to be compressed.
  const { 'accept-encoding': _encoding, ...kept } = given.headers
  const headers: OutgoingHttpHeaders = { ...kept, host: url.host }
  const passed = request(url, { method: given.method, headers, agent: false })
  passed.end(sent)
  const [answer] = (await once(passed, 'response')) as [IncomingMessage]
  const body = await buffer(answer)
  const status = answer.statusCode ?? 500
  watch.see?.(seen, { status, body: body.toString() })
  response.writeHead(status, answer.headers)
  response.end(body)
}

/** Starts a server that passes requests on to the one at `baseUrl`, below `/v1/`, and answers back; `close` stops it. */
export async function openFrontServer(
  baseUrl: string,
  watch: Watch,
): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server = createServer((given, response) => {
    pass(new URL(baseUrl), given, response, watch).catch((error: Error) => sendError(response, 502, error.message))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
