import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { canRunWebApp } from '../accounts/apps.ts'
import { findPackageFile } from '../environment.ts'
import type { Arrival, Site } from '../pages/site.ts'
import { describeArrival, type PageContext } from './pages.ts'
import { rejectWriteMethods } from './public-endpoints.ts'
import type { RequestTarget } from './request-head.ts'
import type { GetRequestId } from './request-log.ts'
import { requestIdHeader } from './response.ts'

/** A content encoding that the build creates of a file. */
type WebEncoding = 'br' | 'gzip'

/** A file of the built web app. */
interface WebFile {
  readonly type: string
  /** True when the name contains a hash of the content: the file never changes. */
  readonly isHashed: boolean
  /** The strong ETag of the plain bytes. */
  readonly tag: string
  readonly plain: Buffer
  readonly packed: Readonly<Partial<Record<WebEncoding, Buffer>>>
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

const encodingsByExtension: Readonly<Record<string, WebEncoding>> = { '.br': 'br', '.gz': 'gzip' }

const listFiles = async (within: string): Promise<readonly string[]> => {
  try {
    const entries = await readdir(within, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(within.length + 1))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new Error('the web app is not built; run "npm run build", or start with --no-web', { cause: error })
  }
}

/**
 * Reads the files of the web app, by path below the prefix; `/` is its page. It ignores files of unknown type, such as
 * those that dpkg and rpm write next to the files that they replace.
 * @throws Error when the web app was not built
 */
export const readWebFiles = async (): Promise<ReadonlyMap<string, WebFile>> => {
  const within = findPackageFile('web/dist')
  const names = await listFiles(within)
  const read = (name: string) => readFile(join(within, name))
  const files = await Promise.all(
    names
      .flatMap((name) => {
        const type = contentTypes[extname(name)]
        return type === undefined ? [] : [[name, type] as const]
      })
      .map(async ([name, type]): Promise<[string, WebFile]> => {
        const plain = await read(name)
        const packed = Object.fromEntries(
          await Promise.all(
            Object.entries(encodingsByExtension)
              .filter(([extension]) => names.includes(`${name}${extension}`))
              .map(async ([extension, encoding]) => [encoding, await read(`${name}${extension}`)] as const),
          ),
        )
        const path = `/${name.replaceAll(sep, '/')}`
        const tag = `"${createHash('sha256').update(plain).digest('base64url')}"`
        const file = { type, isHashed: path.startsWith('/assets/'), tag, plain, packed }
        return [path === '/index.html' ? '/' : path, file]
      }),
  )
  return new Map(files)
}

/**
 * The Content Security Policy of the web app: it may only load from and send to its own origin. It has no inline script
 * or style and no eval. Text that becomes HTML or the URL of a script passes a policy of the app (Trusted Types).
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

const webAppHeaders = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
}

const immutableCacheControl = 'public, max-age=31536000, immutable'
const encodings: readonly WebEncoding[] = ['br', 'gzip']

/** Serves a file of the web app where a browser can run it; returns false for everything else. */
export type ServeWebApp = (ctx: PageContext, target: RequestTarget, getRequestId: GetRequestId) => boolean

/** Creates the server of the web app's files at the path prefix. It writes past Koa, like the server of pages. */
export const createWebAppServer =
  (files: ReadonlyMap<string, WebFile>, findSite: (arrival: Arrival) => Site): ServeWebApp =>
  (ctx, target, getRequestId) => {
    const { req, res } = ctx
    const { path } = target
    const { origin, prefix } = findSite(describeArrival(req, target))
    // All URLs in the page are relative, so the page needs the slash at the end.
    const isBare = prefix !== '' && path === prefix
    const file = files.get(isBare ? '/' : path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path)
    if (file === undefined || !canRunWebApp(origin)) return false
    rejectWriteMethods(req.method ?? '')
    ctx.respond = false
    for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name)
    for (const [name, value] of Object.entries(webAppHeaders)) res.setHeader(name, value)
    res.setHeader(requestIdHeader, getRequestId(req))
    if (isBare) {
      res.writeHead(308, { location: `${prefix}/` }).end()
      return true
    }
    res.setHeader('cache-control', file.isHashed ? immutableCacheControl : 'no-cache')
    res.setHeader('etag', file.tag)
    if (req.headers['if-none-match']?.includes(file.tag) === true) {
      res.writeHead(304).end()
      return true
    }
    // The smallest accepted encoding: browsers list gzip first although they accept br equally.
    const encoding = encodings.find((name) => name in file.packed && ctx.acceptsEncodings([name, 'identity']) === name)
    if (encoding !== undefined) res.setHeader('content-encoding', encoding)
    const bytes = (encoding && file.packed[encoding]) ?? file.plain
    res.writeHead(200, { 'content-type': file.type, 'content-length': bytes.length })
    res.end(req.method === 'HEAD' ? undefined : bytes)
    return true
  }
