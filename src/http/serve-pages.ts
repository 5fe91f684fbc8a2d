import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Api } from '../api/answer-request.ts'
import type { createPages, PageCall } from '../pages/answer-page.ts'
import type { Arrival, Site } from '../pages/site.ts'
import type { PageAnswer } from '../pages/write-page.ts'
import type { Refused } from '../refused.ts'
import { type Compression, compressPage, encodings, smallestCompressed } from '../wire/compress-body.ts'
import { dropBody } from '../wire/drop-body.ts'
import { isWhole } from '../wire/encode-body.ts'
import { readBody } from '../wire/read-body.ts'
import { renderBody } from '../wire/render-body.ts'
import { createSender } from '../wire/send-chunks.ts'
import type { FindAddress } from './client-address.ts'
import type { FindProxyUser } from './proxy-user.ts'
import type { Target } from './read-target.ts'
import type { NameRequest } from './request-id.ts'
import { requestIdHeader } from './write-answer.ts'

/** Koa's context, as far as a page is answered with it. */
export interface PageContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  respond?: boolean | undefined
  readonly state: { userId?: unknown }
  readonly acceptsEncodings: (encodings: string[]) => string | false
}

/** What is needed to answer with pages. */
export interface PageServing {
  readonly pages: ReturnType<typeof createPages>
  readonly findSite: (arrival: Arrival) => Site
  readonly findAddress: FindAddress
  readonly findProxyUser: FindProxyUser
  readonly api: Pick<Api, 'limits' | 'rooms'>
  readonly nameRequest: NameRequest
}

/**
 * Answers with a page what is neither API nor document; false when there is none, and nobody asked for one. What is wrong
 * about the head of the request is shown in the place of the page.
 */
export type ServePages = (ctx: PageContext, target: Target, refused?: Refused) => Promise<boolean>

/** Pages are written past Koa: their headers are their own. */
export const createPageServer = ({
  pages,
  findSite,
  findAddress,
  findProxyUser,
  api,
  nameRequest,
}: PageServing): ServePages => {
  const sender = createSender()
  const writeDocument = async (ctx: PageContext, { headers, document, userId }: PageAnswer): Promise<void> => {
    const rendered = await renderBody(document)
    begin(ctx, 200, headers)
    if (isWhole(rendered)) ctx.res.end(ctx.req.method === 'HEAD' ? undefined : rendered)
    else await sender.send(ctx.res, rendered, userId)
  }
  return async (ctx, target, refused) => {
    const { req } = ctx
    const { path, query } = target
    const site = findSite(arrivalOf(req, target))
    // A proxy may take the prefix away, as before the API.
    const below = path.startsWith(`${site.prefix}/`) ? path.slice(site.prefix.length) : path
    const asksForPage = req.headers.accept?.includes('text/html') === true
    const answerPage = pages.find(below) ?? (asksForPage ? pages.answerUnknown : undefined)
    if (answerPage === undefined) return false
    const address = findAddress(req)
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
      requestId: nameRequest(req),
      refused,
      readBody: () => receiveForm(ctx, address, api),
    }
    const answer = await answerPage(call)
    ctx.res.setHeader(requestIdHeader, call.requestId)
    dropBody(req, api.limits.droppedBytes, api.rooms.pace)
    ctx.state.userId = answer.userId
    if (answer.document === undefined) await write(ctx, answer)
    else await writeDocument(ctx, answer)
    return true
  }
}

/** What is known of the connection that a request came by. */
export const arrivalOf = ({ headers, socket }: IncomingMessage, target: Target): Arrival => ({
  host: target.host ?? headers.host,
  isEncrypted: (socket as TLSSocket).encrypted === true,
})

const header = (req: IncomingMessage, name: string): string | undefined => {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** A form as bytes; its sender counts as not known, because whoever sends forms here has shown no token. */
const receiveForm = async (
  { req, res }: PageContext,
  address: string,
  { limits, rooms }: PageServing['api'],
): Promise<Buffer> => {
  const held = rooms.unknown.open(address, (refusal) => reading.refuse(refusal))
  const reading = readBody(req, limits.grantBodyBytes, {
    onBegin: req.headers.expect === undefined ? undefined : () => res.writeContinue(),
    onChunk: (chunk) => rooms.unknown.add(held, chunk.length),
    isStranger: true,
  })
  try {
    return await reading.whole
  } finally {
    rooms.unknown.release(held)
  }
}

/** Status and headers, past Koa. */
const begin = (ctx: PageContext, status: number, headers: PageAnswer['headers']): void => {
  const { res } = ctx
  // What other origins may read is the API, never what is for a person's eyes.
  for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name)
  ctx.respond = false
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value as string | string[])
  res.statusCode = status
}

const write = async (ctx: PageContext, { status, headers, body }: PageAnswer): Promise<void> => {
  const { req, res } = ctx
  const accepted = body.length < smallestCompressed ? false : ctx.acceptsEncodings([...encodings])
  const isPacked = accepted !== false && accepted !== 'identity'
  const bytes = isPacked ? await compressPage(body, accepted as Compression) : Buffer.from(body)
  begin(ctx, status, headers)
  if (isPacked) res.setHeader('content-encoding', accepted)
  res.setHeader('vary', 'accept-encoding')
  res.setHeader('content-length', bytes.length)
  res.end(req.method === 'HEAD' ? undefined : bytes)
}
