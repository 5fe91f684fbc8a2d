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
import { type ListenTarget, listen, SocketError, showBaseUrl } from './listen.ts'
import { getUnparsableRequestId, noteSentStatus } from './request-log.ts'

/** The settings of `openServer`: where it listens and what it allows. */
export interface ServerSettings extends ListenTarget {
  /** The certificate for TLS, on a port only. The server uses a new certificate when the files change. */
  readonly certificate?: CertificateFiles | undefined
  /**
   * Base URL that clients use, ending in `/v1/`; by default derived from host and port. A Unix socket has no default.
   */
  readonly baseUrl?: string
  readonly maxBodyBytes: number
  /** Maximum time for a request to arrive. A client that reads its response may pause 2 s longer. */
  readonly requestTimeoutSeconds: number
  readonly corsOrigins: readonly string[]
  /** True lets everybody create an account on the page `/register`; false by default. */
  readonly openRegistration?: boolean
  /**
   * Proxies whose X-Forwarded-For header the server trusts: addresses, CIDR ranges, `loopback`, `linklocal`,
   * `uniquelocal`. The peer of a Unix socket is always trusted.
   */
  readonly trustProxy: readonly string[]
  /** Destinations of webhooks and push notifications that are allowed besides the public internet; none by default. */
  readonly deliveryAllow?: readonly string[]
  /** True lets apps send user names and passwords to get tokens; true by default. */
  readonly passwordGrant?: boolean
  /** True accepts an access token in the query of a URL; true by default. */
  readonly queryToken?: boolean
  /** True lets users have the server read pages, for link previews; true by default. */
  readonly linkPreview?: boolean
  /** Destinations of link previews that are allowed besides the public internet; none by default. */
  readonly linkPreviewAllow?: readonly string[]
  /** Header in which trusted proxies name the user whom they signed in; none by default. */
  readonly authHeader?: string | undefined
  /** True creates an account for each user whom a proxy or provider signs in; false by default. */
  readonly authCreate?: boolean
  /** An OpenID provider that signs users in; none by default. */
  readonly provider?: ProviderSettings | undefined
  /** Quotas of each user; by default any number of things and bytes, 10,000 tags with settings, 20 webhooks. */
  readonly quotaThings?: number | undefined
  readonly quotaBytes?: number | undefined
  readonly quotaTags?: number | undefined
  readonly quotaHooks?: number | undefined
  /** True serves the web app at `/`; false by default. */
  readonly web?: boolean
  /** True registers the browser extension as an app; false by default. */
  readonly extension?: boolean
}

/** The settings that `openServer` uses itself, or passes on under another name. All others go to the handler. */
type OwnSetting =
  | keyof ListenTarget
  | 'baseUrl'
  | 'certificate'
  | 'maxBodyBytes'
  | 'requestTimeoutSeconds'
  | 'passwordGrant'
  | 'queryToken'
  | 'linkPreview'
  | `quota${string}`

/** An HTTP server, with or without TLS, that adds its connections to a `Connections`. */
interface HttpServer {
  readonly server: Server
  readonly wire: NetworkSockets
  /** Uses another certificate for new connections. */
  readonly useCertificate: (certificate: Certificate) => void
}

/** Maximum time for the TLS handshake, and for the head of a request to arrive. */
const headTimeoutMilliseconds = 15_000

/**
 * Creates a server that does not listen yet. `timeout` is the maximum time for a request to arrive, in milliseconds.
 */
export const createHttpServer = (
  { timeout, certificate }: { readonly timeout: number; readonly certificate?: Certificate | undefined },
  connections: Connections,
  onRequest: RequestListener,
): HttpServer => {
  const options = {
    requestTimeout: timeout,
    headersTimeout: Math.min(timeout, headTimeoutMilliseconds),
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
  }
  if (certificate === undefined) {
    const server = createServer(options, onRequest)
    server.on('connection', connections.add)
    return { server, wire: plainSockets, useCertificate: () => undefined }
  }
  const server = createTlsServer({ ...options, ...certificate, handshakeTimeout: headTimeoutMilliseconds }, onRequest)
  server.on('secureConnection', connections.add)
  // A failed handshake is the client's error, so it is not logged.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return {
    // In Node's types it is no http.Server, although it has everything that is used here.
    server: server as unknown as Server,
    wire: createNetworkSockets(server as unknown as Server),
    useCertificate: (newer) => server.setSecureContext(newer),
  }
}

/**
 * Maximum number of requests of one connection that wait for their responses. Node parses all requests of one piece
 * before other events run, so without a limit one connection could delay all others.
 */
const maxPipelinedRequests = 64

/** A listening server. */
export interface OpenServer {
  /** Base URL of the API, which ends in `/v1/`. */
  readonly baseUrl: string
  /** The address that it listens on: `127.0.0.1:8484`, or `unix:/run/thingsync.sock`. */
  readonly address: string
  /** The port that it listens on; 0 on a Unix socket. */
  readonly port: number
  /** Checks now whether the files hold another certificate; does nothing without TLS. */
  readonly renewCertificate: () => Promise<void>
  /** Accepts no more requests; resolves when the running ones have their responses, at most 10 s later. */
  readonly close: () => Promise<void>
}

/**
 * Opens the HTTP server on a store. The store stays the caller's: close it after the server.
 * @throws SocketError, CertificateError, or the system's error when the port is in use or not permitted
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
    linkPreviewAllow = [],
    web = false,
    extension = false,
  } = settings
  const basePath = new URL(baseUrl ?? 'http://localhost/v1/').pathname
  const publicAddress = baseUrl === undefined ? {} : { baseUrl }
  const { passwordGrant = true, queryToken = true, linkPreview = true } = settings
  const switches = { passwordGrant, queryToken, linkPreview }
  const shared = {
    basePath,
    ...publicAddress,
    corsOrigins,
    trustProxy,
    openRegistration,
    deliveryAllow,
    linkPreviewAllow,
    web,
    extension,
    limits: { maxBodyBytes },
    quotas: readQuotas(settings),
    switches,
    authHeader: settings.authHeader,
    authCreate: settings.authCreate ?? false,
    provider: settings.provider && (await import('../provider/openid-provider.ts')).openProvider(settings.provider),
    log,
  } satisfies Record<Exclude<keyof ServerSettings, OwnSetting>, unknown> & Record<string, unknown>
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
      // Node still emits the requests that arrived in the same piece although the connection is closed.
      if (request.socket.destroyed) return
      if (connections.addRequest(request, response) > maxPipelinedRequests) request.socket.destroy()
      else handle(request, response)
    },
  )
  // Node drops no headers, so that too many of them get an error. Their total size has a limit of its own.
  server.maxHeadersCount = 0
  // Later than the timeout of the request, which sends an error response.
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
    renewCertificate: async () => await watch?.check(),
    close: () => {
      watch?.close()
      stopping.abort()
      wire.dropUnfinished()
      return closeGracefully(server, connections)
    },
  }
}

/** Responds with an error object to messages that are no HTTP and to requests that arrive too slowly. */
const handleUnparsableRequests = (server: Server, connections: Connections, log: Logger): void => {
  const respondWithError = createRespondToUnparsable(log)
  // Node rejects an unknown expectation without a body. No operation depends on an expectation.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Without a listener Node closes the connection without a response. This server is no proxy.
  server.on('connect', (_request, socket) => respondWithError(new Error('CONNECT'), socket))
  // The client gets `100 Continue` later, when the head of its request was checked.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const running = connections.listRunning(socket as Socket)
    const isResponding = running.some(
      (response) => response.socket === socket && (response.headersSent || response.req.complete),
    )
    // The client would take the error for a part of the response that is being sent, or for the response to a request
    // that was complete and may have been carried out.
    if (isResponding || connections.hasEarlyResponse(socket as Socket)) socket.destroy()
    else {
      const broken = running.find(({ req }) => !req.complete)
      respondWithError(error, socket, broken)
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
    // A client that ended its side in the middle of a body hardly reads the response, so it is not noted.
    if (response !== undefined && error.code !== 'HPE_INVALID_EOF_STATE') noteSentStatus(response, statusCode)
    log.info({ requestId, status: statusCode, code: error.code }, 'a request could not be read')
    socket.end(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nx-request-id: ${requestId}\r\n\r\n${body}`,
    )
  }
