import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { findDirectOutput, isPlainText } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { FindClientAddress } from './client-address.ts'
import { parseTarget, type RequestTarget } from './request-head.ts'

/** Returns the ID of a request, always the same one: for the response's `X-Request-Id` and for the log. */
export type GetRequestId = (request: IncomingMessage) => string

const requestIdSymbol = Symbol('request ID')
type RequestWithId = IncomingMessage & { [requestIdSymbol]?: string }

// No character in it can end a line or a header, or look like a secret to the log.
const safeRequestId = /^[\w.:-]{1,128}$/

const getOrCreateId = (request: RequestWithId, createId: () => string): string => {
  const known = request[requestIdSymbol]
  if (known !== undefined) return known
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && safeRequestId.test(given) ? given : createId()
  request[requestIdSymbol] = id
  return id
}

/** Returns the ID of a request that got its response before the application saw it. */
export const getUnparsableRequestId: GetRequestId = (request) => getOrCreateId(request, randomUUID)

/**
 * Creates the IDs of requests: the client's own `X-Request-Id` if it is harmless, else a number behind a random prefix
 * of this process, which needs no randomness per request.
 */
export const createRequestIds = (): GetRequestId => {
  const prefix = randomBytes(6).toString('hex')
  let last = 0
  const createId = () => `${prefix}-${++last}`
  return (request) => getOrCreateId(request, createId)
}

const rawStatusSymbol = Symbol('status that was written to the socket')
type ResponseWithRawStatus = ServerResponse & { [rawStatusSymbol]?: number }

/** Notes the status of a response that was written to the socket itself, for a request that Node gave up reading. */
export const noteSentStatus = (response: ResponseWithRawStatus, status: number): void => {
  response[rawStatusSymbol] = status
}

/** The part of a response that was sent. */
interface SentResponse {
  /** Undefined when no response was begun. */
  readonly status: number | undefined
  readonly isWhole: boolean
}

/** Finds what was sent of a closed response. Before its head is sent, its status is only a default of Node or Koa. */
const findSentResponse = (response: ResponseWithRawStatus): SentResponse => {
  const rawStatus = response[rawStatusSymbol]
  if (rawStatus !== undefined) return { status: rawStatus, isWhole: true }
  return { status: response.headersSent ? response.statusCode : undefined, isWhole: response.writableFinished }
}

/** The observers of requests: a log and, optionally, metrics. */
export interface Observers {
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

/** The part of Koa's context that the request log needs. */
interface LoggedContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly state: {
    readonly userId?: unknown
    readonly operation?: unknown
    readonly errorKind?: unknown
    /** The parts of the request target, when the application has parsed it. */
    readonly target?: RequestTarget | undefined
  }
}

/** The fields of a line, in their order. Undefined ones are not written. */
interface RequestEntry {
  readonly method: string | undefined
  readonly path: string
  readonly status: number | undefined
  readonly ms: number
  readonly address: string
  readonly user: unknown
  readonly rejected: unknown
  readonly requestId: string
  readonly isComplete: false | undefined
}

/** The characters of an IP address, which need no escapes and spell no name of a secret. */
const plainAddress = /^[\da-f.:]*$/i

/** Formats an entry for the direct output of a log; undefined when a field may need escapes or masks. */
const formatPlainEntry = (entry: RequestEntry): string | undefined => {
  const { method, path, status, ms, address, user, rejected, requestId } = entry
  if (!isPlain(method) || !isPlain(user) || !isPlain(rejected)) return undefined
  if (!isPlainText(path + requestId) || !plainAddress.test(address)) return undefined
  let fields = method === undefined ? '' : `,"method":"${method}"`
  fields += `,"path":"${path}"`
  if (status !== undefined) fields += `,"status":${status}`
  fields += `,"ms":${ms},"address":"${address}"`
  if (user !== undefined) fields += `,"user":"${user}"`
  if (rejected !== undefined) fields += `,"rejected":"${rejected}"`
  fields += `,"requestId":"${requestId}"`
  return entry.isComplete === undefined ? fields : `${fields},"isComplete":false`
}

const isPlain = (value: unknown): boolean => value === undefined || (typeof value === 'string' && isPlainText(value))

/** Creates the writer of entries: past pino where an entry is plain, else by pino, which escapes and masks it. */
const createEntryWriter = (log: Logger): ((entry: RequestEntry) => void) => {
  const writeFields = findDirectOutput(log)
  if (writeFields === undefined) return (entry) => log.info(entry)
  return (entry) => {
    const fields = formatPlainEntry(entry)
    if (fields === undefined) log.info(entry)
    else writeFields(fields)
  }
}

const maxPathCharacters = 200

/** Finds the path to log: never the query, which may hold a token. */
const findLoggedPath = (url: string, target = parseTarget(url)): string =>
  (target?.path ?? url.replace(/[?#].*/s, '')).slice(0, maxPathCharacters)

/**
 * Creates the log of requests. Call it when a request arrives: it logs a line, and counts the request, when the response
 * ends or breaks off. Without a response the line has no `status`.
 */
export const createRequestLog = (
  { log, metrics }: Observers,
  getRequestId: GetRequestId,
  findClientAddress: FindClientAddress,
) => {
  const writeEntry = createEntryWriter(log)
  return ({ req, res, state }: LoggedContext): void => {
    const isLogged = log.isLevelEnabled('info')
    if (!isLogged && metrics === undefined) return
    const start = performance.now()
    const { method, url = '' } = req
    // Read now, because a closed connection has no address.
    const address = isLogged ? findClientAddress(req) : ''
    // Emitted once, and `once` costs more.
    res.on('close', () => {
      const ms = Math.round((performance.now() - start) * 10) / 10
      const { status, isWhole } = findSentResponse(res)
      metrics?.noteRequest(String(state.operation ?? 'unknown'), status, ms / 1000)
      if (!isLogged) return
      writeEntry({
        method,
        path: findLoggedPath(url, state.target),
        status,
        ms,
        address,
        user: state.userId,
        rejected: state.errorKind,
        requestId: getRequestId(req),
        isComplete: isWhole ? undefined : false,
      })
    })
  }
}
