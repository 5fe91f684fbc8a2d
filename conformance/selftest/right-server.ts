import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Behaviour, type RunningExchange, type RunningWorld, right } from './server/behaviour.ts'
import { answerBeside } from './server/beside.ts'
import { answerWaitingSync } from './server/live.ts'
import { operations } from './server/operations.ts'
import { Refusal } from './server/refusal.ts'
import { authenticate, checkEarlyToken, readExchange, type Unread } from './server/request.ts'
import type { Reply } from './server/right-requests.ts'
import { answerRevoke, answerToken } from './server/token-endpoint.ts'
import { refuse } from './server/values.ts'
import { createAccount, type User } from './server/world.ts'

/** A running server and what a client needs to use it. */
export interface OpenServer {
  /** Ends in `/v1/`. */
  readonly baseUrl: string
  /** At least two; passwords hold characters that a form must escape. */
  readonly users: readonly User[]
  readonly clientId: string
  readonly clientSecret: string
  readonly otherClient: { readonly clientId: string; readonly clientSecret: string }
  /** The state, for tests that look inside. */
  readonly world: RunningWorld
  /** Closes it and opens it again where it was, with what it remembers. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What may differ from the right server. */
export interface RightServerOptions {
  readonly behaviour?: Partial<Behaviour>
  /** Puts data into the accounts before the first request. */
  readonly prepare?: (world: RunningWorld) => void
}

const users: readonly User[] = [
  { username: 'alice', password: 'p+ss w&rd=é%41' },
  { username: 'bob', password: 'another pass' },
]

async function answerOperation({ exchange, decode }: Unread): Promise<Reply> {
  const { world, path, method } = exchange
  const { behaviour } = world
  const beside = answerBeside(exchange)
  if (beside !== undefined) return beside
  const isKnown = behaviour.operations?.includes(path) ?? true
  const operation = path === 'sync' ? { methods: ['GET', 'POST'], answer: answerWaitingSync } : operations.get(path)
  const endpoint = path === 'token' ? answerToken : path === 'revoke' ? answerRevoke : undefined
  if (!isKnown || (operation === undefined && endpoint === undefined)) {
    throw new Refusal('operation-unknown', 'there is no such operation')
  }
  if (operation === undefined) decode(false)
  else {
    decode(checkEarlyToken(exchange))
    exchange.session = authenticate(exchange)
    const account = behaviour.accountOf(world, exchange.session, exchange)
    if (account !== undefined) exchange.account = account
  }
  const methods = operation?.methods ?? ['POST']
  if (!methods.includes(method) && !behaviour.anyMethod) {
    refuse(world, 'method-wrong', `use ${methods.join(' or ')}`, { allow: methods.join(', ') })
  }
  await behaviour.delay(exchange)
  return await (operation?.answer ?? endpoint ?? answerWaitingSync)(exchange)
}

/** The answer to a request; refusals become error objects, anything else is a bug of this server. */
async function answer(world: RunningWorld, request: IncomingMessage, gone: AbortSignal): Promise<Reply> {
  const unread: RunningExchange = {
    ...{ world, method: request.method ?? '', path: '', host: '', authorization: undefined, contentType: '' },
    ...{ query: [], body: [], parameters: [], gone, lastEventId: undefined },
  }
  let exchange = unread
  try {
    const received = await readExchange(world, request, gone)
    exchange = received.exchange
    return world.behaviour.reply(await answerOperation(received), exchange)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { behaviour } = world
    const reply = { status: behaviour.errorStatus(error), headers: error.headers, body: behaviour.errorBody(error) }
    return behaviour.reply(reply, exchange)
  }
}

function compress(bytes: Buffer, coding: 'gzip' | 'br' | undefined): Buffer {
  if (coding === undefined) return bytes
  return coding === 'br' ? brotliCompressSync(bytes) : gzipSync(bytes)
}

async function send(world: RunningWorld, response: ServerResponse, reply: Reply): Promise<void> {
  const { status, headers, body, stream } = reply
  if (stream !== undefined) {
    response.writeHead(status, headers)
    stream(response)
    return
  }
  const { encode, contentType, chunks, compression } = world.behaviour
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

/** Opens a right server in memory on a free port of 127.0.0.1, or one that differs where the options say so. */
export async function openRightServer(options: RightServerOptions = {}): Promise<OpenServer> {
  const behaviour = { ...right, ...options.behaviour }
  const accounts = new Map(users.map((user) => [user.username, createAccount(user)]))
  const credentials = { clientId: 'the-suite', clientSecret: 'a secret/with+signs' }
  const otherClient = { clientId: 'another-suite', clientSecret: 'another/secret+' }
  const state = { accounts, sessions: [], memory: new Map(), deliveries: 0, closing: new Set<() => void>() }
  const nextPosition = behaviour.nextPosition
  const world: RunningWorld = { ...credentials, otherClient, ...state, nextPosition, behaviour }
  options.prepare?.(world)
  const server = createServer((request, response) => {
    if (behaviour.hangsUp) {
      request.socket.destroy()
      return
    }
    const leaving = new AbortController()
    response.on('close', () => leaving.abort())
    answer(world, request, leaving.signal)
      .then((reply) => send(world, response, reply))
      .then(() => {
        if (behaviour.closesQuietly) response.on('close', () => request.socket.destroy())
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
      // While it was closed its port may have been given to a connection of somebody else, for a moment.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      await sleep(20)
      await listen(port)
    }
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    for (const stop of world.closing) stop()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  const restart = async (): Promise<void> => {
    await close()
    behaviour.restarted(world)
    await listen(port)
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1/`, users, ...credentials, otherClient, world, restart, close }
}
