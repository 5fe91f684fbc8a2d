import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Api } from '../api/handle-request.ts'
import type { ApiError } from '../api-error.ts'
import type { createPages, PageCall } from '../pages/handle-page.ts'
import type { PageResponse } from '../pages/render-page.tsx'
import type { Arrival, Site } from '../pages/site.ts'
import { type Compression, compressPage, encodings, isWhole, minCompressedBytes } from '../wire/compress.ts'
import { renderBody } from '../wire/render-json.ts'
import { discardBody, readBody } from '../wire/request-body.ts'
import { createSender } from '../wire/send.ts'
import type { FindClientAddress, FindProxyUser } from './client-address.ts'
import type { RequestTarget } from './request-head.ts'
import type { GetRequestId } from './request-log.ts'
import { requestIdHeader } from './response.ts'

/** The part of Koa's context that pages need. */
export interface PageContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  respond?: boolean | undefined
  readonly state: { userId?: unknown }
  readonly acceptsEncodings: (encodings: string[]) => string | false
}

/** The options of `createPageServer`. */
export interface PageServerOptions {
  /** Loads the pages at its first call, and rejects when it cannot. */
  readonly loadPages: () => Promise<ReturnType<typeof createPages>>
  readonly findSite: (arrival: Arrival) => Site
  readonly findClientAddress: FindClientAddress
  readonly findProxyUser: FindProxyUser
  readonly api: Pick<Api, 'limits' | 'bodyBudgets'>
  readonly getRequestId: GetRequestId
}

/**
 * Serves a page for a target that is neither API nor document. Returns false when there is no such page and the client
 * does not request HTML. With `headError`, an error in the head of the request, it shows that error instead of the
 * page.
 */
type ServePage = (ctx: PageContext, target: RequestTarget, headError?: ApiError) => Promise<boolean>

/** Creates the server of pages. It writes responses past Koa, because pages have headers of their own. */
export const createPageServer = ({
  loadPages,
  findSite,
  findClientAddress,
  findProxyUser,
  api,
  getRequestId,
}: PageServerOptions): ServePage => {
  const sender = createSender()
  const writeDocument = async (ctx: PageContext, { headers, document, userId }: PageResponse): Promise<void> => {
    const rendered = await renderBody(document)
    writeHead(ctx, 200, headers)
    if (isWhole(rendered)) ctx.res.end(ctx.req.method === 'HEAD' ? undefined : rendered)
    else await sender.send(ctx.res, rendered, userId)
  }
  return async (ctx, target, headError) => {
    const { req } = ctx
    const { path, query } = target
    const site = findSite(describeArrival(req, target))
    // A proxy may remove the prefix, as it may for the API.
    const below = path.startsWith(`${site.prefix}/`) ? path.slice(site.prefix.length) : path
    const pages = await loadPages()
    const asksForPage = req.headers.accept?.includes('text/html') === true
    const handlePage = pages.find(below) ?? (asksForPage ? pages.handleUnknown : undefined)
    if (handlePage === undefined) return false
    const address = findClientAddress(req)
    const call: PageCall = {
      method: req.method ?? '',
      path: below,
      query,
      site,
      cookies: req.headers.cookie,
      contentType: req.headers['content-type'] ?? '',
      userAgent: req.headers['user-agent'] ?? '',
      fetchSite: header(req, 'sec-fetch-site'),
      origin: header(req, 'origin'),
      address,
      proxyUser: findProxyUser(req),
      requestId: getRequestId(req),
      headError,
      readBody: () => receiveForm(ctx, address, api),
    }
    const response = await handlePage(call)
    ctx.res.setHeader(requestIdHeader, call.requestId)
    discardBody(req, api.limits.maxDiscardedBytes, api.bodyBudgets.throttle)
    ctx.state.userId = response.userId
    if (response.document === undefined) await writePageBody(ctx, response)
    else await writeDocument(ctx, response)
    return true
  }
}

/** Describes the host and the encryption that a request arrived with. */
export const describeArrival = ({ headers, socket }: IncomingMessage, target: RequestTarget): Arrival => ({
  host: target.host ?? headers.host,
  isEncrypted: (socket as TLSSocket).encrypted === true,
})

const header = (req: IncomingMessage, name: string): string | undefined => {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Receives a form as bytes. Its sender counts as unauthenticated, because forms of pages carry no token. */
const receiveForm = async (
  { req, res }: PageContext,
  address: string,
  { limits, bodyBudgets }: PageServerOptions['api'],
): Promise<Buffer> => {
  const held = bodyBudgets.unauthenticated.open(address, (error) => reading.fail(error))
  const reading = readBody(req, limits.maxGrantBodyBytes, {
    onAccepted: req.headers.expect === undefined ? undefined : () => res.writeContinue(),
    onChunk: (chunk) => bodyBudgets.unauthenticated.add(held, chunk.length),
    isUnauthenticated: true,
  })
  try {
    return await reading.body
  } finally {
    bodyBudgets.unauthenticated.release(held)
  }
}

/** Sets status and headers past Koa. */
const writeHead = (ctx: PageContext, status: number, headers: PageResponse['headers']): void => {
  const { res } = ctx
  // Other origins may read the API, never a page.
  for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name)
  ctx.respond = false
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value as string | string[])
  res.statusCode = status
}

const writePageBody = async (ctx: PageContext, { status, headers, body }: PageResponse): Promise<void> => {
  const { req, res } = ctx
  const accepted = body.length < minCompressedBytes ? false : ctx.acceptsEncodings([...encodings])
  const isPacked = accepted !== false && accepted !== 'identity'
  const bytes = isPacked ? await compressPage(body, accepted as Compression) : Buffer.from(body)
  writeHead(ctx, status, headers)
  if (isPacked) res.setHeader('content-encoding', accepted)
  res.setHeader('vary', 'accept-encoding')
  res.setHeader('content-length', bytes.length)
  res.end(req.method === 'HEAD' ? undefined : bytes)
}
