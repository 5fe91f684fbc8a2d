import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RunReport } from '../src/result.ts'
import { allRules } from '../src/rules/all-rules.ts'
import { checkOpenServer, rulesOf } from './check-server.ts'

/** A server without function, as a first attempt at an implementation can be. */
export interface TrivialServer {
  readonly id: string
  readonly respond: (request: IncomingMessage, response: ServerResponse, body: string) => void
}

function fixed(status: number, contentType: string, body: string): TrivialServer['respond'] {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': contentType })
    response.end(body)
  }
}

const invalidToken = { error: 'invalid_grant', error_description: 'The access token provided is invalid' }

/** Servers that pass no MUST of the profile core. */
export const trivialServers: readonly TrivialServer[] = [
  { id: 'empty-object', respond: fixed(200, 'application/json', '{}') },
  { id: 'empty-array', respond: fixed(200, 'application/json', '[]') },
  { id: 'empty-body', respond: fixed(200, 'application/json', '') },
  { id: 'null', respond: fixed(200, 'application/json', 'null') },
  { id: 'position-only', respond: fixed(200, 'application/json', '{"pos":1}') },
  { id: 'always-401', respond: fixed(401, 'application/json', JSON.stringify(invalidToken)) },
  { id: 'always-401-with-200', respond: fixed(200, 'application/json', JSON.stringify(invalidToken)) },
  {
    id: 'always-500',
    respond: fixed(500, 'application/json', '{"error":"server_error","error_description":"Something went wrong"}'),
  },
  { id: 'always-404', respond: fixed(404, 'text/plain', 'Not found') },
  { id: 'html', respond: fixed(200, 'text/html', '<!doctype html><title>Welcome</title><h1>It works!</h1>') },
  { id: 'huge-junk', respond: fixed(200, 'application/json', `{"things":${'['.repeat(200_000)}`) },
  {
    id: 'echo',
    respond: (request, response, body) => {
      const url = new URL(request.url ?? '/', 'http://localhost')
      const echoed = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)])
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(echoed))
    },
  },
  {
    id: 'echo-as-it-came',
    respond: (request, response, body) => {
      response.writeHead(200, { 'content-type': request.headers['content-type'] ?? 'text/plain' })
      response.end(body)
    },
  },
  { id: 'hang-up', respond: (request) => request.socket.destroy() },
  {
    id: 'half-a-response',
    respond: (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"pos":1,')
      setTimeout(() => request.socket.destroy(), 5)
    },
  },
]

/** Opens a trivial server on a free port of 127.0.0.1. */
export async function openTrivialServer(
  trivial: TrivialServer,
): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => trivial.respond(request, response, Buffer.concat(chunks).toString('utf8')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, close }
}

/** Opens a trivial server, runs the MUSTs of core against it, and closes it. */
export async function checkTrivialServer(trivial: TrivialServer): Promise<RunReport> {
  const { baseUrl, close } = await openTrivialServer(trivial)
  const users = [
    { username: 'alice', password: 'secret1' },
    { username: 'bob', password: 'secret2' },
  ]
  const server = { baseUrl, users, clientId: 'client', clientSecret: 'secret3' }
  const rules = rulesOf(allRules, 'core').filter(({ level }) => level === 'must')
  try {
    return await checkOpenServer(server, { rules, profile: 'core' })
  } finally {
    await close()
  }
}
