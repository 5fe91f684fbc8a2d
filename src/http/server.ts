import type { Logger } from 'pino'
import { readQuotas } from '../accounts/quotas.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { openProvider } from '../provider/open-provider.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { showBaseUrl } from './base-url.ts'
import { answerBrokenRequests } from './broken-requests.ts'
import { readCertificate } from './certificate.ts'
import { closeGently } from './close-gently.ts'
import { createConnections } from './connections.ts'
import { createHandler } from './create-handler.ts'
import { createHttpServer } from './create-http-server.ts'
import { dropLostStreams } from './drop-lost-streams.ts'
import { dropStalledClients } from './drop-stalled.ts'
import { listen } from './listen.ts'
import { watchCertificate } from './renew-certificate.ts'
import type { ServerSettings } from './server-settings.ts'
import { SocketRefused } from './unix-socket.ts'

/**
 * How many requests of one connection may wait for their answers. Node reads all that arrive in one piece before anybody
 * else has a turn: a thousand small ones kept everybody waiting for a tenth of a second.
 */
const mostPipelined = 64

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
 * @throws when the port is taken or may not be used; SocketRefused, CertificateRefused
 */
export const openServer = async ({
  store,
  settings,
  log,
  world,
  metrics,
}: {
  readonly store: Store
  readonly settings: ServerSettings
  readonly log: Logger
  readonly world?: World
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
    ...(world === undefined ? {} : { world }),
  })
  const connections = createConnections()
  const timeout = settings.requestTimeoutSeconds * 1000
  const { server, wire, useCertificate } = createHttpServer(
    { timeout, certificate },
    connections,
    (request, answer) => {
      // What stood behind the last request in the same piece comes here although the connection is gone.
      if (request.socket.destroyed) return
      if (connections.note(request, answer) > mostPipelined) request.socket.destroy()
      else handle(request, answer)
    },
  )
  // None is dropped, so that too many are refused in words; what they take together has a limit of its own.
  server.maxHeadersCount = 0
  // Later than the request's time-out, which is answered in words.
  dropStalledClients(server, connections, timeout + 2_000)
  dropLostStreams(server, connections, { wire, log })
  answerBrokenRequests(server, connections, log)
  const listening = await listen(server, settings)
  isUnix = listening.isUnix
  if (isUnix && certificate !== undefined) {
    server.close()
    throw new SocketRefused('socket: takes no tls_cert: on a Unix socket the proxy before it has the certificate')
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
      return closeGently(server, connections)
    },
  }
}
