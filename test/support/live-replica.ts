import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import type { NetworkChange } from '../../client/src/environment.ts'
import type { Live, LiveOptions, LiveState } from '../../client/src/live.ts'
import { createMemoryLocalStore } from '../../client/src/local-store.ts'
import { createReplica } from '../../client/src/replica.ts'
import type { ReplicaSyncResult } from '../../client/src/replica-sync.ts'
import { createMemoryTokenStorage } from '../../client/src/tokens.ts'
import { findFreePort } from '../free-port.ts'
import { createTestClient } from './create-test-client.ts'
import { createDrivenClock } from './driven-clock.ts'
import type { TestServer } from './open-test-server.ts'

/** Which requests a gate treats in its own way. */
export type Operation = 'events' | 'wait' | 'sync' | 'token'

type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** What stands before a real server: it plays the live operations, and whatever fails on the way. */
export interface Gate {
  readonly baseUrl: string
  /** What was requested so far. */
  readonly requested: readonly Operation[]
  /**
   * Responds to an operation in this way from now on: undefined as a server that keeps the contract, `at once` with the
   * position as JSON, as a server that ignores what it does not know.
   */
  readonly set: (operation: Operation, response?: Respond | 'at once') => void
  /** How many listen now. */
  readonly listening: () => number
  /** Tells all who listen where the account stands. */
  readonly notify: (position: number) => void
  /** Ends the streams of all who listen, as a server does whose token has ended. */
  readonly endStreams: () => void
  /** Ends all connections and takes no new ones, until `open` is called. */
  readonly close: () => Promise<void>
  readonly open: () => Promise<void>
}

const operationOf = ({ url = '' }: IncomingMessage): Operation | undefined => {
  const { pathname, searchParams } = new URL(url, 'http://gate')
  if (pathname.endsWith('/sync/events')) return 'events'
  if (pathname.endsWith('/sync')) return searchParams.has('wait') ? 'wait' : 'sync'
  return pathname.endsWith('/token') ? 'token' : undefined
}

/** Responds with an error, by default as a server of the interface that knows no such operation. */
export const respondWithError =
  (status: number, headers: Readonly<Record<string, string>> = {}, error = 'not_found'): Respond =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }))

/** Takes the request and never says a word. */
export const hold: Respond = () => undefined

/** Opens a gate to this server, until the test is finished; `notice` is called at each request or listener. */
export const openGate = async (server: TestServer, notice: () => void): Promise<Gate> => {
  const requested: Operation[] = []
  const responses = new Map<Operation, Respond | 'at once'>()
  const listening = new Map<ServerResponse, (position: number) => void>()

  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url?.replace(/^\/v1\//, '') ?? '', server.baseUrl)
    const headers = new Headers()
    for (const name of ['authorization', 'content-type', 'accept']) {
      const value = request.headers[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const real = await fetch(url, { method: request.method ?? 'GET', headers, ...body })
    response.writeHead(real.status, { 'content-type': 'application/json' }).end(await real.text())
  }
  const readPosition = async ({ headers }: IncomingMessage): Promise<number> => {
    const authorization = headers.authorization ?? ''
    const real = await fetch(new URL('sync?limit=0', server.baseUrl), { headers: { authorization } })
    return (await real.json()).pos
  }
  const listen = (response: ServerResponse, tell: (position: number) => void) => {
    listening.set(response, tell)
    response.on('close', () => {
      listening.delete(response)
      notice()
    })
    notice()
  }
  const playEvents: Respond = async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const notify = (position: number) => response.write(`id: ${position}\ndata: {"pos":${position}}\n\n`)
    listen(response, notify)
    notify(await readPosition(request))
  }
  const playWait: Respond = async (request, response) => {
    const from = Number(new URL(request.url ?? '', 'http://gate').searchParams.get('from'))
    const end = (pos: number) => response.writeHead(200, { 'content-type': 'application/json' }).end(`{"pos":${pos}}`)
    const position = await readPosition(request)
    if (position > from) end(position)
    else listen(response, end)
  }
  const respondAtOnce: Respond = async (request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ pos: await readPosition(request) }))
  const plays = { events: playEvents, wait: playWait, sync: forward, token: forward }
  const listener = createServer((request, response) => {
    const operation = operationOf(request)
    if (operation === undefined) return void forward(request, response)
    requested.push(operation)
    notice()
    const play = responses.get(operation) ?? plays[operation]
    return play === 'at once' ? respondAtOnce(request, response) : play(request, response)
  })
  // Behind the same port again after `close`.
  const port = await findFreePort()
  const open = async () => {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
  }
  const close = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve())
      listener.closeAllConnections()
    })
  await open()
  onTestFinished(() => (listener.listening ? close() : undefined))
  return {
    baseUrl: `http://127.0.0.1:${port}/v1/`,
    requested,
    set: (operation, response) => {
      if (response === undefined) responses.delete(operation)
      else responses.set(operation, response)
    },
    listening: () => listening.size,
    notify: (position) => {
      for (const notify of [...listening.values()]) notify(position)
    },
    endStreams: () => {
      for (const response of [...listening.keys()]) response.end()
    },
    open,
    close,
  }
}

/** A live replica of a new user, or one with a password who signs in, behind a gate, with a driven clock. */
export const openLiveFixture = async (server: TestServer, options: LiveOptions = {}, userName?: string) => {
  const watchers = new Set<() => void>()
  const notice = () => {
    for (const watcher of [...watchers]) watcher()
  }
  const gate = await openGate(server, notice)
  const clock = createDrivenClock()
  const device = await server.openDevice(userName)
  const tokens = createMemoryTokenStorage()
  // Their time is the real one.
  const client = createTestClient({ ...server, baseUrl: gate.baseUrl }, { tokens })
  const known = { accessToken: device.token, requestToken: '', session: 'first', expiresAt: Number.POSITIVE_INFINITY }
  if (userName === undefined) await tokens.write(known)
  else await client.signIn(userName, 'correct horse')
  const replica = await createReplica({ client, store: createMemoryLocalStore(), now: clock.pace.now })
  const states: LiveState[] = []
  const results: ReplicaSyncResult[] = []
  let change: ((change: NetworkChange) => void) | undefined

  /** Resolves as soon as it is so; a test that waits in vain ends by its time limit. */
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (!isSo()) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
    })
  const start = (): Live => {
    const live = replica.live({
      pace: clock.pace,
      watchNetwork: (listener) => {
        change = listener
        return () => {
          change = undefined
        }
      },
      ...options,
      onState: (state) => {
        states.push(state)
        notice()
      },
      onSync: (result) => {
        results.push(result)
        notice()
      },
    })
    onTestFinished(live.stop)
    return live
  }
  const live = start()
  const listTitles = async () => {
    const titles = []
    for await (const { title } of replica.listThings()) titles.push(title)
    return titles.sort()
  }
  /** Makes a thing on another device, and gives the position. */
  const addElsewhere = async (title: string): Promise<number> =>
    Number((await device.sync({ new_thing: [{ local_id: title, title }] })).pos)
  const untilStatus = (status: LiveState['status']) => until(() => live.state().status === status)
  return {
    gate,
    clock,
    device,
    client,
    tokens,
    replica,
    live,
    states,
    results,
    until,
    untilStatus,
    listTitles,
    addElsewhere,
    changeNetwork: (what: NetworkChange = 'network') => change?.(what),
  }
}
