import { findUserByTypedName, isNameTooLong, nameTooLong } from '../accounts/find-user.ts'
import type { Refused } from '../refused.ts'
import { decodeFormLoosely, decodeTexts } from '../wire/decode-form.ts'
import { createCookieJar } from './cookies.ts'
import { isFormToken, makeFormToken } from './csrf.ts'
import { formTokenField } from './form-parts.tsx'
import { createFindRoute, type MatchedRoute } from './match-route.ts'
import type { PageFields, PageRequest, PageResult, PageRoute, PageTools, SignedIn } from './page.ts'
import { describeError, fault, PageRefused, type Refusal } from './page-refused.ts'
import type { PageStyle } from './read-style.ts'
import { recognizeBrowser } from './recognize-browser.ts'
import { showRefusal } from './refusal-page.tsx'
import { createSentOnce } from './sent-once.ts'
import type { Site } from './site.ts'
import { type PageAnswer, writePage } from './write-page.ts'

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
  readonly refused?: Refused | undefined
  /** Reads the body. @throws Refused when it is too large or cut off */
  readonly readBody: () => Promise<Buffer>
}

/** What all pages share. */
export interface Pages {
  readonly routes: readonly PageRoute[]
  readonly style: PageStyle
  readonly tools: PageTools
  /** Who is signed in with the secret of a session cookie. */
  readonly findSignedIn: (secret: string) => Promise<SignedIn | undefined>
}

/** Fields of a form; more are no form of ours. */
const mostFields = 100
const formType = 'application/x-www-form-urlencoded'

/** Finds what answers at a path below the prefix; undefined when there is no page. */
export type FindPage = (path: string) => ((call: PageCall) => Promise<PageAnswer>) | undefined

/** Makes routes into pages that answer: cookies, form tokens, refusals. */
export const createPages = (
  pages: Pages,
): { find: FindPage; answerUnknown: (call: PageCall) => Promise<PageAnswer> } => {
  const findRoute = createFindRoute(pages.routes)
  const sendOnce = createSentOnce()
  const answerWith = (matched: MatchedRoute | undefined) => (call: PageCall) => answer(pages, sendOnce, call, matched)
  return {
    find: (path) => {
      const matched = findRoute(path)
      return matched && answerWith(matched)
    },
    answerUnknown: answerWith(undefined),
  }
}

const answer = async (
  pages: Pages,
  sendOnce: ReturnType<typeof createSentOnce>,
  call: PageCall,
  matched: MatchedRoute | undefined,
): Promise<PageAnswer> => {
  const jar = createCookieJar(call.site)
  const { tools } = pages
  // A form for strangers must not be what somebody planted: of two nobody can tell which is.
  const visitors = jar.read(call.cookies, 'visitor')
  const visitorSecret = visitors.length === 1 ? visitors[0] : undefined
  const newVisitor = visitorSecret === undefined ? tools.world.newSecret() : undefined
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
    formToken: makeFormToken(visitorSecret ?? (newVisitor as string), tools.world.newId()),
  }
  const result = await (async (): Promise<PageResult> => {
    if (call.refused !== undefined) throw call.refused
    if (call.proxyUser !== undefined && isNameTooLong(call.proxyUser)) throw new PageRefused(proxyNameTooLong)
    const recognized = await recognizeBrowser(jar.read(call.cookies, 'session'), pages.findSignedIn)
    const { sessionSecret } = recognized
    // Somebody else has signed in at the proxy since.
    const signedIn = (await isProxyUser(tools, call, recognized.signedIn)) ? recognized.signedIn : undefined
    request = { ...request, sessionSecret }
    const secret = signedIn === undefined ? visitorSecret : sessionSecret
    if (signedIn !== undefined && sessionSecret !== undefined) {
      request = { ...request, signedIn, formToken: makeFormToken(sessionSecret, tools.world.newId()) }
    }
    if (matched === undefined) throw new PageRefused('unknown')
    const { get, post, isSentOnce, takesNoHead = false, readsEachField } = matched.route
    const decode = readsEachField === true ? decodeFormLoosely : decodeTexts
    const inQuery = decode(Buffer.from(call.query), mostFields)
    request = { ...request, query: firstOf(inQuery), fields: inQuery }
    const isRead = call.method === 'GET' || (call.method === 'HEAD' && !takesNoHead)
    const handle = call.method === 'POST' ? post : isRead ? get : undefined
    if (isHidden(matched.route, signedIn, handle !== undefined)) throw new PageRefused('unknown')
    if (handle === undefined) {
      const reads = takesNoHead ? ['GET'] : ['GET', 'HEAD']
      const allow = [...(get ? reads : []), ...(post ? ['POST'] : [])].join(', ')
      throw new PageRefused('method', { allow })
    }
    if (handle === get) return handle(request, tools)
    const body = await readForm(call)
    const work = async () => handle(request, tools)
    const bytes = Buffer.from(body)
    const fields = decode(body, mostFields)
    const form = firstOf(fields)
    const isTrusted = matched.route.trustsOwnPages === true && isFromOwnPage(call)
    if (isTrusted) return handle({ ...request, form, fields }, tools)
    if (secret === undefined || !isFormToken(form.get(formTokenField) ?? '', secret)) {
      const meanwhile = matched.route.whenSignedInMeanwhile
      if (signedIn === undefined || meanwhile === undefined) throw new PageRefused('stale')
      return meanwhile({ ...request, form, signedIn }, tools)
    }
    request = { ...request, form, fields }
    return isSentOnce === true ? sendOnce(secret, call.path, bytes, work) : work()
  })().catch((error: unknown) => {
    const refused = describeError(error)
    if (refused === undefined || (error instanceof Error && refused.refusal.status >= 500)) {
      tools.log.error({ err: error, requestId: call.requestId }, 'a page failed')
    }
    return showRefusal(refused?.refusal ?? fault, refused?.headers ?? {}, request)
  })
  const write = (shown: PageResult) => writePage(pages.style, jar, { request, result: shown, newVisitor })
  try {
    return write(result)
  } catch (error) {
    tools.log.error({ err: error, requestId: call.requestId }, 'a page could not be made')
    return write(showRefusal(fault, {}, request))
  }
}

const proxyNameTooLong: Refusal = {
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
    throw new PageRefused('strange')
  }
  if (call.contentType.split(';', 1)[0]?.trim().toLowerCase() !== formType) throw new PageRefused('type')
  return call.readBody()
}

const firstOf = (fields: PageRequest['fields']): PageFields => {
  const first = new Map<string, string>()
  for (const [name, value] of fields) if (value !== undefined && !first.has(name)) first.set(name, value)
  return first
}
