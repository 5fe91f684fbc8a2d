import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Reply } from './behavior.ts'
import { type Behavior, type RunningExchange, type RunningState, rightServer } from './behavior.ts'
import { operations, respondToWaitingSync } from './operations.ts'
import { authenticate, checkEarlyToken, readExchange, throwError, type Unread } from './request.ts'
import { ApiError, createAccount, type User } from './state.ts'
import { respondBeside, respondToRevoke, respondToToken } from './token-endpoint.ts'

/** A running server, and the users and credentials for its clients. */
export interface OpenServer {
  /** Ends in `/v1/`. */
  readonly baseUrl: string
  /** At least two users. Their passwords contain characters that a form must escape. */
  readonly users: readonly User[]
  readonly clientId: string
  readonly clientSecret: string
  readonly otherClient: { readonly clientId: string; readonly clientSecret: string }
  /** The state, for tests that inspect it. */
  readonly state: RunningState
  /** Closes the server and opens it again on the same port, with its state. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The differences from the right server. */
export interface RightServerOptions {
  readonly behavior?: Partial<Behavior>
  /** Puts data into the accounts before the first request. */
  readonly prepare?: (state: RunningState) => void
}

const users: readonly User[] = [
  { username: 'alice', password: 'p+ss w&rd=é%41' },
  { username: 'bob', password: 'another pass' },
]

async function runOperation({ exchange, decode }: Unread): Promise<Reply> {
  const { state, path, method } = exchange
  const { behavior } = state
  const beside = respondBeside(exchange)
  if (beside !== undefined) return beside
  const isKnown = behavior.operations?.includes(path) ?? true
  const operation = path === 'sync' ? { methods: ['GET', 'POST'], respond: respondToWaitingSync } : operations.get(path)
  const endpoint = path === 'token' ? respondToToken : path === 'revoke' ? respondToRevoke : undefined
  if (!isKnown || (operation === undefined && endpoint === undefined)) {
    throw new ApiError('operation-unknown', 'there is no such operation')
  }
  if (operation === undefined) decode(false)
  else {
    decode(checkEarlyToken(exchange))
    exchange.session = authenticate(exchange)
    const account = behavior.accountOf(state, exchange.session, exchange)
    if (account !== undefined) exchange.account = account
  }
  const methods = operation?.methods ?? ['POST']
  if (!methods.includes(method) && !behavior.anyMethod) {
    throwError(state, 'method-wrong', `use ${methods.join(' or ')}`, { allow: methods.join(', ') })
  }
  await behavior.delay(exchange)
  return await (operation?.respond ?? endpoint ?? respondToWaitingSync)(exchange)
}

/** Creates the response to a request. An `ApiError` becomes an error object; any other error is a bug of the server. */
async function respond(state: RunningState, request: IncomingMessage, disconnected: AbortSignal): Promise<Reply> {
  const unread: RunningExchange = {
    ...{ state, method: request.method ?? '', path: '', host: '', authorization: undefined, contentType: '' },
    ...{ query: [], body: [], parameters: [], disconnected: disconnected, lastEventId: undefined },
  }
  let exchange = unread
  try {
    const received = await readExchange(state, request, disconnected)
    exchange = received.exchange
    return state.behavior.reply(await runOperation(received), exchange)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { behavior } = state
    const reply = { status: behavior.errorStatus(error), headers: error.headers, body: behavior.errorBody(error) }
    return behavior.reply(reply, exchange)
  }
}

function compress(bytes: Buffer, coding: 'gzip' | 'br' | undefined): Buffer {
  if (coding === undefined) return bytes
  // The default quality takes seconds for some MB, and everything else waits meanwhile.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  return coding === 'br' ? brotliCompressSync(bytes, { params }) : gzipSync(bytes)
}

async function send(state: RunningState, response: ServerResponse, reply: Reply): Promise<void> {
  const { status, headers, body, stream } = reply
  if (stream !== undefined) {
    response.writeHead(status, headers)
    stream(response)
    return
  }
  const { encode, contentType, chunks, compression } = state.behavior
  const coding = compression(String(response.req.headers['accept-encoding'] ?? ''))
  const bytes = compress(Buffer.from(typeof body === 'string' ? body : encode(body)), coding)
  const encoded: Record<string, string> = coding === undefined ? {} : { 'content-encoding': coding }
  response.writeHead(status, { 'content-type': contentType, ...encoded, ...headers })
  const size = chunks.bytes || bytes.length
  let sent = 0
  for (; sent + size < bytes.length; sent += size) {
    response.write(bytes.subarray(sent, sent + size))
    await sleep(chunks.pause)
  }
  response.end(bytes.subarray(sent))
}

/** Opens a right server in memory on a free port of 127.0.0.1; the options replace parts of its behavior. */
export async function openRightServer(options: RightServerOptions = {}): Promise<OpenServer> {
  const behavior = { ...rightServer, ...options.behavior }
  const accounts = new Map(users.map((user) => [user.username, createAccount(user)]))
  const credentials = { clientId: 'the-suite', clientSecret: 'a secret/with+signs' }
  const otherClient = { clientId: 'another-suite', clientSecret: 'another/secret+' }
  const initial = { accounts, sessions: [], memory: new Map(), deliveries: 0, closing: new Set<() => void>() }
  const nextPosition = behavior.nextPosition
  const state: RunningState = { ...credentials, otherClient, ...initial, nextPosition, behavior }
  options.prepare?.(state)
  const server = createServer((request, response) => {
    if (behavior.hangsUp) {
      request.socket.destroy()
      return
    }
    const leaving = new AbortController()
    response.on('close', () => leaving.abort())
    respond(state, request, leaving.signal)
      .then((reply) => send(state, response, reply))
      .then(() => {
        if (behavior.closesQuietly) response.on('close', () => request.socket.destroy())
      })
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.stack : String(error)
        response.writeHead(500, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: 'server_error', error_description: reason }))
      })
  })
  server.keepAliveTimeout = 60_000
  const listen = async (port: number): Promise<void> => {
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    } catch (error) {
      // While the server was closed, another process can have taken its port for a moment.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      await sleep(20)
      await listen(port)
    }
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    for (const stop of state.closing) stop()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  const restart = async (): Promise<void> => {
    await close()
    behavior.restarted(state)
    await listen(port)
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1/`, users, ...credentials, otherClient, state, restart, close }
}
