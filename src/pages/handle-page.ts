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
import { recognizeBrowser } from './signed-in.ts'
import type { Site } from './site.ts'

/** A request for a page, as plain values. */
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
  /** What its answer and the log call it. */
  readonly requestId: string
  /** Whom a proxy that is believed says it has signed in. */
  readonly proxyUser: string | undefined
  /** What the browser says of the page that made it send this (`Sec-Fetch-Site`). */
  readonly fetchSite: string | undefined
  /** The same in older words: the origin of that page (`Origin`). */
  readonly origin: string | undefined
  /** What is wrong about the head of the request, which is then not looked into any further. */
  readonly headError?: ApiError | undefined
  /** Reads the body. @throws ApiError when it is too large or cut off */
  readonly readBody: () => Promise<Buffer>
}

/** What all pages share. */
interface Pages {
  readonly routes: readonly PageRoute[]
  readonly style: PageStyle
  readonly tools: PageTools
  /** Who is signed in with the secret of a session cookie. */
  readonly findSignedIn: (secret: string) => Promise<SignedIn | undefined>
}

/** Fields of a form; more are no form of ours. */
const maxFormFields = 100
const formType = 'application/x-www-form-urlencoded'

/** Finds what answers at a path below the prefix; undefined when there is no page. */
type FindPage = (path: string) => ((call: PageCall) => Promise<PageResponse>) | undefined

/** Makes routes into pages that answer: cookies, form tokens, refusals. */
export const createPages = (
  pages: Pages,
): { find: FindPage; answerUnknown: (call: PageCall) => Promise<PageResponse> } => {
  const findRoute = createFindRoute(pages.routes)
  const sendOnce = createDeduplicator()
  const answerWith = (matched: MatchedRoute | undefined) => (call: PageCall) => respond(pages, sendOnce, call, matched)
  return {
    find: (path) => {
      const matched = findRoute(path)
      return matched && answerWith(matched)
    },
    answerUnknown: answerWith(undefined),
  }
}

const respond = async (
  pages: Pages,
  sendOnce: ReturnType<typeof createDeduplicator>,
  call: PageCall,
  matched: MatchedRoute | undefined,
): Promise<PageResponse> => {
  const jar = createCookieJar(call.site)
  const { tools } = pages
  // A form for strangers must not be what somebody planted: of two nobody can tell which is.
  const visitors = jar.read(call.cookies, 'visitor')
  const visitorSecret = visitors.length === 1 ? visitors[0] : undefined
  const newVisitor = visitorSecret === undefined ? tools.environment.newSecret() : undefined
  // Before anything may fail: a refusal is a page too.
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
    // Somebody else has signed in at the proxy since.
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
    return isDeduplicated === true ? sendOnce(secret, call.path, bytes, work) : work()
  })().catch((error: unknown) => {
    const failure = toPageError(error)
    if (failure === undefined || (error instanceof Error && failure.details.status >= 500)) {
      tools.log.error({ err: error, requestId: call.requestId }, 'a page failed')
    }
    return showPageError(failure?.details ?? internalError, failure?.headers ?? {}, request)
  })
  const write = (shown: PageResult) => writePage(pages.style, jar, { request, result: shown, newVisitor })
  try {
    return write(result)
  } catch (error) {
    tools.log.error({ err: error, requestId: call.requestId }, 'a page could not be made')
    return write(showPageError(internalError, {}, request))
  }
}

const proxyNameTooLong: PageErrorDetails = {
  status: 400,
  title: 'You have no way in here',
  happened: `The user name that the proxy gives (setting auth_header) ${nameTooLong}.`,
  advice: 'Ask the person who runs this server, or sign in at the proxy as somebody else.',
}

/** True unless a proxy says that the browser is somebody else's than who is signed in. */
const isProxyUser = async ({ store }: PageTools, { proxyUser }: PageCall, signedIn: SignedIn | undefined) =>
  proxyUser === undefined ||
  signedIn === undefined ||
  (await findUserByTypedName(store.registry, proxyUser))?.id === signedIn.userId

/** Whether the browser says that a page of this origin sent it; browsers of before 2023 say so by `Origin` only. */
const isFromOwnPage = ({ fetchSite, origin, site }: PageCall): boolean =>
  fetchSite === undefined ? origin === site.origin : fetchSite === 'same-origin'

/** Strangers are sent from the pages of admins to the sign-in; whatever else an address would tell, it tells admins. */
const isHidden = (route: PageRoute, signedIn: SignedIn | undefined, isTaken: boolean): boolean =>
  route.isForAdmins === true && (signedIn === undefined ? !isTaken : !signedIn.isAdmin)

const readForm = async (call: PageCall): Promise<Buffer> => {
  // Every current browser says it, at least to https and localhost; the form token stands for the others.
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

/** A route, and what stands where its path has a colon. */
interface MatchedRoute {
  readonly route: PageRoute
  readonly params: Readonly<Record<string, string>>
}

/** Finds routes by path; what is named without a colon comes first. */
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
 * Does what a form asks for once, however often the very same form is sent within ten minutes (a double click, a reload):
 * the others get what the first got. Only where the first led on to another page; a form that was refused may be sent
 * again. Each form that is shown has a token of its own, so the same form is not the same wish twice.
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
