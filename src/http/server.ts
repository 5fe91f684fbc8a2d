import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { readQuotas } from '../accounts/quotas.ts'
import type { Environment } from '../environment.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ProviderSettings } from '../provider/openid-provider.ts'
import { openProvider } from '../provider/openid-provider.ts'
import type { Store } from '../store/store.ts'
import { type Certificate, type CertificateFiles, readCertificate, watchCertificate } from './certificate.ts'
import {
  type Connections,
  closeGracefully,
  createConnections,
  createNetworkSockets,
  dropLostStreams,
  dropStalledClients,
  type NetworkSockets,
  plainSockets,
} from './connections.ts'
import { createHandler } from './handler.ts'
import { type ListenTarget, listen, SocketError } from './listen.ts'
import { getUnparsableRequestId, noteSentStatus } from './request-log.ts'

/** How a server listens and what it allows. */
export interface ServerSettings extends ListenTarget {
  /** The server speaks TLS with this certificate, and with the one that takes its place in the files; on a port only. */
  readonly certificate?: CertificateFiles | undefined
  /** Address that clients use, ending in `/v1/`; by default made of host and port. A Unix socket has none. */
  readonly baseUrl?: string
  readonly maxBodyBytes: number
  /** How long a request may take to arrive, and how long, 2 s more, a client may pause while it reads the answer. */
  readonly requestTimeoutSeconds: number
  readonly corsOrigins: readonly string[]
  /** Everybody may make an account on the page `/register`; false by default. */
  readonly openRegistration?: boolean
  /**
   * Proxies whose X-Forwarded-For is believed: addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`. Whoever
   * connects to a Unix socket is one, too.
   */
  readonly trustProxy: readonly string[]
  /** Where webhooks and push notifications may be sent beside the public internet; nowhere by default. */
  readonly deliveryAllow?: readonly string[]
  /** Apps may send user names and passwords to get tokens; true by default. */
  readonly passwordGrant?: boolean
  /** An access token may stand in the address; true by default. */
  readonly queryToken?: boolean
  /** Header in which trusted proxies name the user whom they have signed in; none by default. */
  readonly authHeader?: string | undefined
  /** Whoever a proxy or provider signs in is given an account; false by default. */
  readonly authCreate?: boolean
  /** An OpenID provider that signs people in; none by default. */
  readonly provider?: ProviderSettings | undefined
  /** How much everybody may have; by default any number of things and bytes, 10,000 tags with settings, 20 webhooks. */
  readonly quotaThings?: number | undefined
  readonly quotaBytes?: number | undefined
  readonly quotaTags?: number | undefined
  readonly quotaHooks?: number | undefined
  /** The web app stands at `/`; false by default. */
  readonly web?: boolean
}

/**
 * The base address of the API of a server that listens so: the one that clients use, when it was given, else made of host
 * and port, with https when the server has a certificate; ends in `/v1/`.
 */
export const showBaseUrl = ({
  baseUrl,
  host,
  port,
  certificate,
}: {
  readonly baseUrl?: string | undefined
  readonly host: string
  readonly port: number
  readonly certificate?: object | undefined
}): string => baseUrl ?? `${certificate ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/v1/`

/** A server that notes its connections, with or without TLS. */
interface HttpServer {
  readonly server: Server
  readonly wire: NetworkSockets
  /** Gives new connections another certificate. */
  readonly useCertificate: (certificate: Certificate) => void
}

/** Milliseconds in which TLS has to be agreed upon, and the head of a request has to arrive. */
const headTimeout = 15_000

/** Makes a server that does not listen yet; `timeout` is how many milliseconds a request may take to arrive. */
export const createHttpServer = (
  { timeout, certificate }: { readonly timeout: number; readonly certificate?: Certificate | undefined },
  connections: Connections,
  onRequest: RequestListener,
): HttpServer => {
  const options = {
    requestTimeout: timeout,
    headersTimeout: Math.min(timeout, headTimeout),
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
  }
  if (certificate === undefined) {
    const server = createServer(options, onRequest)
    server.on('connection', connections.add)
    return { server, wire: plainSockets, useCertificate: () => undefined }
  }
  const server = createTlsServer({ ...options, ...certificate, handshakeTimeout: headTimeout }, onRequest)
  server.on('secureConnection', connections.add)
  // What cannot agree on TLS is closed by Node; its error is nobody's but the client's.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return {
    // Node's own types make it no kind of the other, which it is in all that is used of it here.
    server: server as unknown as Server,
    wire: createNetworkSockets(server as unknown as Server),
    useCertificate: (newer) => server.setSecureContext(newer),
  }
}

/**
 * How many requests of one connection may wait for their answers. Node reads all that arrive in one piece before anybody
 * else has a turn: a thousand small ones kept everybody waiting for a tenth of a second.
 */
const maxPipelinedRequests = 64

/** A server that accepts requests. */
export interface OpenServer {
  /** Ends in `/v1/`. */
  readonly baseUrl: string
  /** Where it listens: `127.0.0.1:8484`, or `unix:/run/thingsync.sock`. */
  readonly address: string
  /** 0 on a Unix socket. */
  readonly port: number
  /** Looks now whether the files hold another certificate; without TLS there is nothing to look at. */
  readonly renewCertificate: () => Promise<void>
  /** Accepts no more requests; resolves when the running ones are answered, at most 10 s later. */
  readonly close: () => Promise<void>
}

/**
 * Opens the HTTP server on a store. The store stays the caller's: close it after the server.
 * @throws when the port is taken or may not be used; SocketError, CertificateError
 */
export const openServer = async ({
  store,
  settings,
  log,
  environment,
  metrics,
}: {
  readonly store: Store
  readonly settings: ServerSettings
  readonly log: Logger
  readonly environment?: Environment
  readonly metrics?: Metrics | undefined
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
  const publicAddress = baseUrl === undefined ? {} : { baseUrl }
  const switches = { passwordGrant: settings.passwordGrant ?? true, queryToken: settings.queryToken ?? true }
  const shared = {
    basePath,
    ...publicAddress,
    corsOrigins,
    trustProxy,
    openRegistration,
    deliveryAllow,
    web,
    limits: { maxBodyBytes },
    quotas: readQuotas(settings),
    switches,
    authHeader: settings.authHeader,
    authCreate: settings.authCreate ?? false,
    provider: settings.provider && openProvider(settings.provider),
    log,
  }
  const certificate = settings.certificate && (await readCertificate(settings.certificate))
  const stopping = new AbortController()
  let isUnix = false
  const handle = await createHandler({
    store,
    ...shared,
    stopping: stopping.signal,
    isBehindUnixSocket: () => isUnix,
    metrics,
    ...(environment === undefined ? {} : { environment }),
  })
  const connections = createConnections()
  const timeout = settings.requestTimeoutSeconds * 1000
  const { server, wire, useCertificate } = createHttpServer(
    { timeout, certificate },
    connections,
    (request, response) => {
      // What stood behind the last request in the same piece comes here although the connection is gone.
      if (request.socket.destroyed) return
      if (connections.addRequest(request, response) > maxPipelinedRequests) request.socket.destroy()
      else handle(request, response)
    },
  )
  // None is dropped, so that too many are refused in words; what they take together has a limit of its own.
  server.maxHeadersCount = 0
  // Later than the request's time-out, which is answered in words.
  dropStalledClients(server, connections, timeout + 2_000)
  dropLostStreams(server, connections, { wire, log })
  handleUnparsableRequests(server, connections, log)
  const listening = await listen(server, settings)
  isUnix = listening.isUnix
  if (isUnix && certificate !== undefined) {
    server.close()
    throw new SocketError('socket: takes no tls_cert: on a Unix socket the proxy before it has the certificate')
  }
  const { address, port } = listening
  metrics?.addGauges({ connections: connections.count })
  const watch =
    settings.certificate && certificate
      ? watchCertificate(settings.certificate, certificate, { use: useCertificate, log })
      : undefined
  return {
    baseUrl: showBaseUrl({ ...settings, port }),
    address,
    port,
    renewCertificate: async () => await watch?.look(),
    close: () => {
      watch?.close()
      stopping.abort()
      wire.dropUnfinished()
      return closeGracefully(server, connections)
    },
  }
}

/** Gives what Node cannot read as HTTP, and what arrives too slowly, an error object like everything else. */
const handleUnparsableRequests = (server: Server, connections: Connections, log: Logger): void => {
  const answerError = createRespondToUnparsable(log)
  // Node answers an expectation that it does not know without a body; nothing here depends on one.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Without a listener Node closes the connection without a word. This is no proxy.
  server.on('connect', (_request, socket) => answerError(new Error('CONNECT'), socket))
  // Whether a client should send its body is said when the head of its request was judged.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const running = connections.listRunning(socket as Socket)
    const isAnswering = running.some(
      (response) => response.socket === socket && (response.headersSent || response.req.complete),
    )
    // The client would take the error for a part of the response that is being sent, or for the response to a request
    // that was complete and may have been carried out.
    if (isAnswering || connections.hasEarlyResponse(socket as Socket)) socket.destroy()
    else {
      const broken = running.find(({ req }) => !req.complete)
      answerError(error, socket, broken)
    }
  })
}

const createRespondToUnparsable =
  (log: Logger) =>
  (error: NodeJS.ErrnoException, socket: Duplex, response?: ServerResponse): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return
    const status =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request'
    const body = JSON.stringify({ error: 'parameter_invalid', error_description: 'The request cannot be read as HTTP' })
    const requestId = response === undefined ? randomUUID() : getUnparsableRequestId(response.req)
    const statusCode = Number.parseInt(status, 10)
    // Whoever has ended its side in the middle of a body is hardly there to be told.
    if (response !== undefined && error.code !== 'HPE_INVALID_EOF_STATE') noteSentStatus(response, statusCode)
    log.info({ requestId, status: statusCode, code: error.code }, 'a request could not be read')
    socket.end(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nx-request-id: ${requestId}\r\n\r\n${body}`,
    )
  }
