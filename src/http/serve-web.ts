import { canRunWebApp } from '../accounts/web-app.ts'
import type { Arrival, Site } from '../pages/site.ts'
import { refuseWriting } from './open-addresses.ts'
import type { Target } from './read-target.ts'
import type { NameRequest } from './request-id.ts'
import { arrivalOf, type PageContext } from './serve-pages.ts'
import type { WebEncoding, WebFile } from './web-files.ts'
import { requestIdHeader } from './write-answer.ts'

/**
 * What the web app may do: load and ask what is here, and nothing else. No script or style within the page, no eval; what
 * becomes HTML or an address of a script passes a policy of the app (Trusted Types).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default dompurify',
].join('; ')

const everyHeader = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
}

const forever = 'public, max-age=31536000, immutable'
const encodings: readonly WebEncoding[] = ['br', 'gzip']

/** Answers with the web app, where a browser can run it; false for everything else. */
export type ServeWeb = (ctx: PageContext, target: Target, nameRequest: NameRequest) => boolean

/** Serves the files of the web app at the path prefix; they are written past Koa, like pages. */
export const createWebServer =
  (files: ReadonlyMap<string, WebFile>, findSite: (arrival: Arrival) => Site): ServeWeb =>
  (ctx, target, nameRequest) => {
    const { req, res } = ctx
    const { path } = target
    const { origin, prefix } = findSite(arrivalOf(req, target))
    // All addresses in the page are relative to it.
    const isBare = prefix !== '' && path === prefix
    const file = files.get(isBare ? '/' : path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path)
    if (file === undefined || !canRunWebApp(origin)) return false
    refuseWriting(req.method ?? '')
    ctx.respond = false
    for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name)
    for (const [name, value] of Object.entries(everyHeader)) res.setHeader(name, value)
    res.setHeader(requestIdHeader, nameRequest(req))
    if (isBare) {
      res.writeHead(308, { location: `${prefix}/` }).end()
      return true
    }
    res.setHeader('cache-control', file.isHashed ? forever : 'no-cache')
    res.setHeader('etag', file.tag)
    if (req.headers['if-none-match']?.includes(file.tag) === true) {
      res.writeHead(304).end()
      return true
    }
    // The smallest that is taken: browsers name gzip first, and like br as much.
    const encoding = encodings.find((one) => one in file.packed && ctx.acceptsEncodings([one, 'identity']) === one)
    if (encoding !== undefined) res.setHeader('content-encoding', encoding)
    const bytes = (encoding && file.packed[encoding]) ?? file.plain
    res.writeHead(200, { 'content-type': file.type, 'content-length': bytes.length })
    res.end(req.method === 'HEAD' ? undefined : bytes)
    return true
  }
