import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { checkUrl, type DeliveryRules } from './address-guard.ts'
import {
  createFindDestination,
  openPinnedConnection,
  type Reached,
  type ResolveName,
  requestOnce,
} from './connection.ts'

/** The options of `createReadPage`. */
export interface ReadPageOptions {
  /** The version of this package, for the User-Agent. */
  readonly version: string
  /** Resolves the names that the rules do not list. Default: queries the system's name servers. */
  readonly resolveName?: ResolveName
  /** For everything together: name lookups, connections, redirects and body. Default: 5 s. */
  readonly timeoutMs?: number
  /** Maximum bytes of the body, as it arrives and as it is decompressed. Default: 512 KiB. */
  readonly maxBytes?: number
  /** PEM certificates that are trusted instead of the system's. */
  readonly authorities?: readonly string[]
}

/** The response of a page with a status from 200 to 299. */
export interface Page {
  /** The URL behind all redirects. */
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  /**
   * The decompressed body, at most `maxBytes`. It ends without an error where the time or the bytes are used up, and
   * where the connection breaks. Throws PageFault if nothing came in time, or if its compression is damaged.
   */
  readonly body: AsyncIterable<Uint8Array>
}

/** What a page came to. A reason is the end of a sentence for the user: "its host responded with status 404". */
export type PageOutcome<T> =
  | { readonly kind: 'read'; readonly result: T }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Reads a page by GET, and has `read` make a result of it. Follows at most five redirects. Each hop is checked like the
 * first URL, and goes to the checked addresses only. Sends no cookie and no referrer, and keeps no connection.
 * @throws what `read` throws
 */
export type ReadPage = <T>(url: string, read: (page: Page) => Promise<T>) => Promise<PageOutcome<T>>

const maxRedirects = 5

/**
 * Creates the reader. The rules name the allowed destinations outside the public internet (contract, the other
 * operations).
 */
export const createReadPage = (rules: DeliveryRules, options: ReadPageOptions): ReadPage => {
  const { timeoutMs = 5_000, maxBytes = 512 * 1024 } = options
  const findDestination = createFindDestination(rules, options.resolveName)
  const tooSlow = new PageFault(`it took longer than ${timeoutMs / 1000} s`)
  const blocked = new PageFault(
    `its host is unknown, or this server may not read from its address (setting ${rules.setting})`,
  )
  const headers = {
    'user-agent': `thingsync/${options.version}`,
    accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
    'accept-encoding': 'gzip',
  }

  /** Sends one request, and has `use` read the response while the connection is open. */
  const requestPage = async <T>(url: URL, signal: AbortSignal, use: (response: IncomingMessage) => Promise<T>) => {
    const destination = await findDestination(url, signal)
    if (signal.aborted) throw tooSlow
    if (destination === undefined) throw blocked
    const { socket, reached } = openPinnedConnection(url, destination.addresses, options.authorities)
    const destroy = () => void socket.destroy()
    signal.addEventListener('abort', destroy, { once: true })
    try {
      const response = await requestOnce({ method: 'GET', url, headers, socket })
      if (response === undefined) {
        if (signal.aborted && destination.isPublic) throw tooSlow
        throw new PageFault(describePageFailure(reached(), destination.isPublic))
      }
      // The end of the connection is an error of a response that nobody reads any more.
      response.on('error', () => {})
      return await use(response)
    } finally {
      signal.removeEventListener('abort', destroy)
      socket.destroy()
    }
  }

  const readResponse = async <T>(
    url: URL,
    response: IncomingMessage,
    signal: AbortSignal,
    read: (page: Page) => Promise<T>,
  ) => {
    const { statusCode: status = 0, headers } = response
    const location = status >= 300 && status < 400 ? headers.location : undefined
    if (location !== undefined) return { location }
    if (status < 200 || status > 299) throw new PageFault(`its host responded with status ${status}`)
    const decode = findDecoder(headers['content-encoding'])
    if (decode === undefined) throw new PageFault('it is compressed in a way that this server does not read')
    const isOver = () => signal.aborted
    const body = limitBytes(decode(limitBytes(response, maxBytes, isOver)), maxBytes, isOver)
    return { result: await read({ url, headers, body: failWhenLate(body, isOver, tooSlow) }) }
  }

  const follow = async <T>(text: string, signal: AbortSignal, read: (page: Page) => Promise<T>): Promise<T> => {
    let target = text
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      if (checkUrl(target, rules).kind === 'blocked') throw blocked
      const url = new URL(target)
      const outcome = await requestPage(url, signal, (response) => readResponse(url, response, signal, read))
      if (outcome.location === undefined) return outcome.result
      target = resolveLocation(outcome.location, url)
    }
    throw new PageFault(`it redirects more than ${maxRedirects} times`)
  }

  return async (url, read) => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), timeoutMs)
    try {
      return { kind: 'read', result: await follow(url, controller.signal, read) }
    } catch (error) {
      if (error instanceof PageFault) return { kind: 'failed', reason: error.message }
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Why a page could not be read; the message is the end of a sentence. */
class PageFault extends Error {
  override readonly name = 'PageFault'
}

const reasons: Record<Reached, string> = {
  nothing: 'no connection to its host could be made',
  socket: 'no secure connection to its host could be made, for example because of the certificate',
  receiver: 'its host did not respond in HTTP',
}

/**
 * Says why no response came. For destinations that are not public the reason is always the same: a user must not learn
 * which machines and ports exist in the internal network.
 */
export const describePageFailure = (reached: Reached, isPublic: boolean): string =>
  isPublic ? reasons[reached] : 'its host did not respond'

/** A Location header is latin1 text of at most 16 KiB. */
const maxLocationLength = 4_096

/** Resolves a Location header. Text that is no URL stays, and `checkUrl` then rejects it. */
const resolveLocation = (location: string, base: URL): string => {
  if (location.length > maxLocationLength) return location
  // Servers send UTF-8, although a header is latin1.
  const text = Buffer.from(location, 'latin1').toString('utf8')
  try {
    return new URL(text, base).href
  } catch (error) {
    if (error instanceof TypeError) return text
    throw error
  }
}

type Bytes = AsyncIterable<Uint8Array>

/** Passes on at most so many bytes. Ends without an error where the connection breaks. */
async function* limitBytes(source: Bytes, maxBytes: number, isOver: () => boolean): AsyncGenerator<Uint8Array> {
  let left = maxBytes
  try {
    for await (const chunk of source) {
      if (isOver()) return
      yield chunk.length > left ? chunk.subarray(0, left) : chunk
      left -= chunk.length
      if (left <= 0) return
    }
  } catch (error) {
    if (!isConnectionError(error)) throw error
  }
}

/** Node reports a connection that ended early as ECONNRESET, and a body that is no HTTP with a code of its parser. */
const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(E[A-Z]+|HPE_\w+|ERR_STREAM_PREMATURE_CLOSE)$/.test(String(error.code))

/** Throws `late` if the time was over before the first byte. */
async function* failWhenLate(source: Bytes, isOver: () => boolean, late: PageFault): AsyncGenerator<Uint8Array> {
  let isEmpty = true
  for await (const chunk of source) {
    isEmpty = false
    yield chunk
  }
  if (isEmpty && isOver()) throw late
}

const findDecoder = (encoding = 'identity'): ((body: Bytes) => Bytes) | undefined => {
  const name = encoding.trim().toLowerCase()
  if (name === 'identity' || name === '') return (body) => body
  return name === 'gzip' || name === 'x-gzip' ? gunzip : undefined
}

/** Decompresses a body that may end early. @throws PageFault if the compression is damaged */
async function* gunzip(body: Bytes): AsyncGenerator<Uint8Array> {
  // Without an error where the body ends early (finishFlush).
  const decompressed = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
  // An error also ends the loop below. The end of the loop ends the source.
  pipeline(Readable.from(body, { objectMode: false }), decompressed, () => {})
  try {
    yield* decompressed as AsyncIterable<Buffer>
  } catch (error) {
    const isDamaged = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw isDamaged ? new PageFault('its compression is damaged') : error
  }
}
