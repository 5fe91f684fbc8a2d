import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { showBaseUrl } from './base-url.ts'
import { answerBrokenRequests } from './broken-requests.ts'
import { closeGently } from './close-gently.ts'
import { createConnections } from './connections.ts'
import { createHandler } from './create-handler.ts'
import { dropLostStreams } from './drop-lost-streams.ts'
import { dropStalledClients } from './drop-stalled.ts'

/** How a server listens and what it allows. */
export interface ServerSettings {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Address that clients use, ending in `/v1/`; by default made of host and port. */
  readonly baseUrl?: string
  readonly maxBodyBytes: number
  /** How long a request may take to arrive, and how long, 2 s more, a client may pause while it reads the answer. */
  readonly requestTimeoutSeconds: number
  readonly corsOrigins: readonly string[]
  /** Everybody may make an account on the page `/register`; false by default. */
  readonly openRegistration?: boolean
  /** Proxies whose X-Forwarded-For is believed: addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`. */
  readonly trustProxy: readonly string[]
  /** Where webhooks and push notifications may be sent beside the public internet; nowhere by default. */
  readonly deliveryAllow?: readonly string[]
  /** Apps may send user names and passwords to get tokens; true by default. */
  readonly passwordGrant?: boolean
  /** An access token may stand in the address; true by default. */
  readonly queryToken?: boolean
  /** The web app stands at `/`; false by default. */
  readonly web?: boolean
}

/**
 * How many requests of one connection may wait for their answers. Node reads all that arrive in one piece before anybody
 * else has a turn: a thousand small ones kept everybody waiting for a tenth of a second.
 */
const mostPipelined = 64

/** A server that accepts requests. */
export interface OpenServer {
  /** Ends in `/v1/`. */
  readonly baseUrl: string
  readonly port: number
  /** Accepts no more requests; resolves when the running ones are answered, at most 10 s later. */
  readonly close: () => Promise<void>
}

/**
 * Opens the HTTP server on a store. The store stays the caller's: close it after the server.
 * @throws when the port is taken or may not be used
 */
export const openServer = async ({
  store,
  settings,
  log,
  world,
}: {
  readonly store: Store
  readonly settings: ServerSettings
  readonly log: Logger
  readonly world?: World
}): Promise<OpenServer> => {
  const {
    baseUrl,
    corsOrigins,
    trustProxy,
    maxBodyBytes,
    openRegistration = false,
    deliveryAllow = [],
    web = false,
  } = settings
  const basePath = new URL(baseUrl ?? 'http://localhost/v1/').pathname
  const address = baseUrl === undefined ? {} : { baseUrl }
  const switches = { passwordGrant: settings.passwordGrant ?? true, queryToken: settings.queryToken ?? true }
  const shared = {
    basePath,
    ...address,
    corsOrigins,
    trustProxy,
    openRegistration,
    deliveryAllow,
    web,
    limits: { maxBodyBytes },
    switches,
    log,
  }
  const stopping = new AbortController()
  const handle = await createHandler({
    store,
    ...shared,
    stopping: stopping.signal,
    ...(world === undefined ? {} : { world }),
  })
  const connections = createConnections()
  const timeout = settings.requestTimeoutSeconds * 1000
  const server = createServer(
    {
      requestTimeout: timeout,
      headersTimeout: Math.min(timeout, 15_000),
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    (request, answer) => {
      // What stood behind the last request in the same piece comes here although the connection is gone.
      if (request.socket.destroyed) return
      if (connections.note(request, answer) > mostPipelined) request.socket.destroy()
      else handle(request, answer)
    },
  )
  // None is dropped, so that too many are refused in words; what they take together has a limit of its own.
  server.maxHeadersCount = 0
  server.on('connection', connections.add)
  // Later than the request's time-out, which is answered in words.
  dropStalledClients(server, connections, timeout + 2_000)
  dropLostStreams(server, connections, log)
  answerBrokenRequests(server, connections, log)
  const port = await listen(server, settings)
  return {
    baseUrl: showBaseUrl({ ...settings, port }),
    port,
    close: () => {
      stopping.abort()
      return closeGently(server, connections)
    },
  }
}

const listen = (server: Server, { host, port }: ServerSettings): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
