import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { findUserByTypedName, isNameTooLong, nameTooLong } from '../accounts/users.ts'
import type { ApiError } from '../api-error.ts'
import { decodeFormLeniently, decodeTextFields } from '../wire/form.ts'
import { formTokenField } from './components.tsx'
import { createCookieJar, createFormToken, isFormToken } from './cookies.ts'
import type { PageFields, PageRequest, PageResult, PageRoute, PageStyle, PageTools, SignedIn } from './page.ts'
import { internalError, PageError, type PageErrorDetails, showPageError, toPageError } from './page-error.tsx'
import { type PageResponse, writePage } from './render-page.tsx'
import { recognizeBrowser, servesWebApp } from './signed-in.ts'
import type { Site } from './site.ts'

/** A request for a page, as plain values without HTTP types. */
export interface PageCall {
  readonly method: string
  /** Below the path prefix. */
  readonly path: string
  /** Without the `?`. */
  readonly query: string
  readonly site: Site
  readonly cookies: string | undefined
  readonly contentType: string
  readonly userAgent: string
  readonly address: string
  /** The id of the request in the response and the log. */
  readonly requestId: string
  /** The user name that a trusted proxy has signed in. */
  readonly proxyUser: string | undefined
  /** The relation of the sending page to this server, as the browser reports it (`Sec-Fetch-Site`). */
  readonly fetchSite: string | undefined
  /** The origin of the sending page, which older browsers report (`Origin`). */
  readonly origin: string | undefined
  /** An error in the head of the request; the rest of the request is then ignored. */
  readonly headError?: ApiError | undefined
  /** Reads the body. @throws ApiError when it is too large or cut off */
  readonly readBody: () => Promise<Buffer>
}

/** The parts that all pages share. */
interface Pages {
  readonly routes: readonly PageRoute[]
  readonly style: PageStyle
  readonly tools: PageTools
  /** Finds the user who is signed in with the secret of a session cookie. */
  readonly findSignedIn: (secret: string) => Promise<SignedIn | undefined>
}

/** The maximum number of fields of a form; the forms of this server have fewer. */
const maxFormFields = 100
const formType = 'application/x-www-form-urlencoded'

/** Finds the handler of a path below the prefix; undefined when there is no page. */
type FindPage = (path: string) => ((call: PageCall) => Promise<PageResponse>) | undefined

/**
 * Makes routes into pages: adds cookies, form tokens and error pages. `find` finds the page of a path; `handleUnknown`
 * responds where there is none. Errors become pages, so the handlers never throw.
 */
export const createPages = (
  pages: Pages,
): { find: FindPage; handleUnknown: (call: PageCall) => Promise<PageResponse> } => {
  const findRoute = createFindRoute(pages.routes)
  const runOnce = createDeduplicator()
  const respondWith = (matched: MatchedRoute | undefined) => (call: PageCall) => respond(pages, runOnce, call, matched)
  return {
    find: (path) => {
      const matched = findRoute(path)
      return matched && respondWith(matched)
    },
    handleUnknown: respondWith(undefined),
  }
}

const respond = async (
  pages: Pages,
  runOnce: ReturnType<typeof createDeduplicator>,
  call: PageCall,
  matched: MatchedRoute | undefined,
): Promise<PageResponse> => {
  const jar = createCookieJar(call.site)
  const { tools } = pages
  // An attacker may have planted a visitor cookie. Of two cookies, the server cannot tell which one is genuine.
  const visitors = jar.read(call.cookies, 'visitor')
  const visitorSecret = visitors.length === 1 ? visitors[0] : undefined
  const newVisitor = visitorSecret === undefined ? tools.environment.newSecret() : undefined
  // Created before anything can fail, because error pages need it as well.
  let request: PageRequest = {
    site: call.site,
    path: call.path,
    params: matched?.params ?? {},
    query: new Map(),
    form: new Map(),
    fields: [],
    address: call.address,
    requestId: call.requestId,
    userAgent: call.userAgent,
    proxyUser: call.proxyUser,
    isFromOwnPage: call.fetchSite === 'same-origin',
    visitorSecret,
    signedIn: undefined,
    sessionSecret: undefined,
    formToken: createFormToken(visitorSecret ?? (newVisitor as string), tools.environment.newId()),
  }
  const result = await (async (): Promise<PageResult> => {
    if (call.headError !== undefined) throw call.headError
    if (call.proxyUser !== undefined && isNameTooLong(call.proxyUser)) throw new PageError(proxyNameTooLong)
    const recognized = await recognizeBrowser(jar.read(call.cookies, 'session'), pages.findSignedIn)
    const { sessionSecret } = recognized
    // Another user may have signed in at the proxy since.
    const signedIn = (await isProxyUser(tools, call, recognized.signedIn)) ? recognized.signedIn : undefined
    request = { ...request, sessionSecret }
    const secret = signedIn === undefined ? visitorSecret : sessionSecret
    if (signedIn !== undefined && sessionSecret !== undefined) {
      request = { ...request, signedIn, formToken: createFormToken(sessionSecret, tools.environment.newId()) }
    }
    if (matched === undefined) throw new PageError('unknown')
    const { get, post, isDeduplicated, rejectsHead = false, readsEachField } = matched.route
    const decode = readsEachField === true ? decodeFormLeniently : decodeTextFields
    const inQuery = decode(Buffer.from(call.query), maxFormFields)
    request = { ...request, query: firstOf(inQuery), fields: inQuery }
    const isRead = call.method === 'GET' || (call.method === 'HEAD' && !rejectsHead)
    const handle = call.method === 'POST' ? post : isRead ? get : undefined
    if (isHidden(matched.route, signedIn, handle !== undefined)) throw new PageError('unknown')
    if (handle === undefined) {
      const reads = rejectsHead ? ['GET'] : ['GET', 'HEAD']
      const allow = [...(get ? reads : []), ...(post ? ['POST'] : [])].join(', ')
      throw new PageError('method', { allow })
    }
    if (handle === get) return handle(request, tools)
    const body = await readForm(call)
    const work = async () => handle(request, tools)
    const bytes = Buffer.from(body)
    const fields = decode(body, maxFormFields)
    const form = firstOf(fields)
    const isTrusted = matched.route.trustsOwnPages === true && isFromOwnPage(call)
    if (isTrusted) return handle({ ...request, form, fields }, tools)
    if (secret === undefined || !isFormToken(form.get(formTokenField) ?? '', secret)) {
      const meanwhile = matched.route.whenSignedInMeanwhile
      if (signedIn === undefined || meanwhile === undefined) throw new PageError('stale')
      return meanwhile({ ...request, form, signedIn }, tools)
    }
    request = { ...request, form, fields }
    return isDeduplicated === true ? runOnce(secret, call.path, bytes, work) : work()
  })().catch((error: unknown) => {
    const failure = toPageError(error)
    if (failure === undefined || (error instanceof Error && failure.details.status >= 500)) {
      tools.log.error({ err: error, requestId: call.requestId }, 'a page failed')
    }
    return showPageError(failure?.details ?? internalError, failure?.headers ?? {}, request)
  })
  const hasWebApp = servesWebApp(tools.about, request.site)
  const write = (shown: PageResult) => writePage(pages.style, jar, { request, result: shown, newVisitor, hasWebApp })
  try {
    return write(result)
  } catch (error) {
    tools.log.error({ err: error, requestId: call.requestId }, 'a page could not be created')
    return write(showPageError(internalError, {}, request))
  }
}

const proxyNameTooLong: PageErrorDetails = {
  status: 400,
  title: 'You cannot sign in here',
  happened: `The user name that the proxy gives (setting auth_header) ${nameTooLong}.`,
  advice: 'Ask the administrator of this server, or sign in at the proxy as another user.',
}

/** False when the proxy names another user than the signed-in one. */
const isProxyUser = async ({ store }: PageTools, { proxyUser }: PageCall, signedIn: SignedIn | undefined) =>
  proxyUser === undefined ||
  signedIn === undefined ||
  (await findUserByTypedName(store.registry, proxyUser))?.id === signedIn.userId

/** True when the browser says that a page of this origin sent the request. Browsers before 2023 send `Origin` only. */
const isFromOwnPage = ({ fetchSite, origin, site }: PageCall): boolean =>
  fetchSite === undefined ? origin === site.origin : fetchSite === 'same-origin'

/** True when an admin page must look absent. Anonymous users are redirected to the sign-in; other users get 404. */
const isHidden = (route: PageRoute, signedIn: SignedIn | undefined, isTaken: boolean): boolean =>
  route.isForAdmins === true && (signedIn === undefined ? !isTaken : !signedIn.isAdmin)

const readForm = async (call: PageCall): Promise<Buffer> => {
  // Every current browser sends it, at least to https and localhost; the form token protects the others.
  if (call.fetchSite !== undefined && call.fetchSite !== 'same-origin' && call.fetchSite !== 'none') {
    throw new PageError('strange')
  }
  if (call.contentType.split(';', 1)[0]?.trim().toLowerCase() !== formType) throw new PageError('type')
  return call.readBody()
}

const firstOf = (fields: PageRequest['fields']): PageFields => {
  const first = new Map<string, string>()
  for (const [name, value] of fields) if (value !== undefined && !first.has(name)) first.set(name, value)
  return first
}

/** A route, and the values of its path parameters. */
interface MatchedRoute {
  readonly route: PageRoute
  readonly params: Readonly<Record<string, string>>
}

/** Creates the function that finds routes by path. Routes without parameters take precedence. */
export const createFindRoute = (routes: readonly PageRoute[]): ((path: string) => MatchedRoute | undefined) => {
  const exact = new Map(routes.filter(({ path }) => !path.includes(':')).map((route) => [route.path, route]))
  const open = routes.filter(({ path }) => path.includes(':')).map((route) => ({ route, parts: route.path.split('/') }))
  return (path) => {
    const route = exact.get(path)
    if (route !== undefined) return { route, params: {} }
    const given = path.split('/')
    for (const { route, parts } of open) {
      if (parts.length !== given.length) continue
      const pairs = parts.map((part, at) => [part, given[at] ?? ''] as const)
      if (!pairs.every(([part, text]) => part === text || (part.startsWith(':') && /^[\w.~-]+$/.test(text)))) continue
      const named = pairs.filter(([part]) => part.startsWith(':')).map(([part, text]) => [part.slice(1), text])
      return { route, params: Object.fromEntries(named) }
    }
    return undefined
  }
}

/**
 * Creates a deduplicator: it runs the work of a form once, however often the same form is sent within ten minutes (a
 * double click, a reload). The repetitions get the result of the first. That holds only when the first ended in a
 * redirect; a form that was rejected can be sent again. Each shown form has its own token, so two shown forms are never
 * the same.
 */
const createDeduplicator = (now: () => number = () => performance.now()) => {
  const results = new LRUCache<string, Promise<PageResult>>({
    max: 1_000,
    ttl: 10 * 60 * 1000,
    ttlResolution: 0,
    perf: { now },
  })

  return (secret: string, path: string, body: Buffer, work: () => Promise<PageResult>): Promise<PageResult> => {
    const key = hash('sha256', `${secret} ${path} ${hash('sha256', body, 'hex')}`, 'hex')
    const known = results.get(key)
    if (known !== undefined) return known
    const forget = () => results.get(key) === result && results.delete(key)
    const result = work()
    results.set(key, result)
    result.then((response) => 'see' in response || forget(), forget)
    return result
  }
}
