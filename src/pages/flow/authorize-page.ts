import { issueCode } from '../../accounts/codes.ts'
import { hasConsented } from '../../accounts/consent.ts'
import type { AuthorizeRequest, GivenFields } from '../../oauth/judge-authorize.ts'
import { issuerOf } from '../../oauth/metadata.ts'
import { appendToRedirect, type RedirectFields } from '../../oauth/redirect-uri.ts'
import { forSignedIn } from '../guards.ts'
import type { PageResult, PageRoute, PageTools, SeeOther, SignedInRequest } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import type { Site } from '../site.ts'
import { enterElsewhere } from './enter-elsewhere.ts'
import {
  type KnownApp,
  pathOfAuthorize,
  readAuthorize,
  readAuthorizeQuery,
  type Verdict,
  writeAuthorizeQuery,
} from './read-authorize.ts'
import { type Registrant, showConsent } from './show-consent.tsx'
import { showSignIn } from './show-sign-in.tsx'
import { showWrongRequest } from './show-wrong-request.tsx'

const sendBack = (
  site: Site,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | undefined },
  fields: RedirectFields,
): SeeOther => ({ away: appendToRedirect(redirectUri, { ...fields, state, iss: issuerOf(site) }) })

/** What is answered without asking anybody. */
const refuse = (site: Site, verdict: Exclude<Verdict, { readonly kind: 'ask' }>): PageResult =>
  verdict.kind === 'refusedHere'
    ? showWrongRequest(verdict)
    : sendBack(site, verdict, { error: verdict.error, error_description: verdict.description })

const sendCode = async (
  { site, signedIn }: SignedInRequest,
  { store, world }: PageTools,
  request: AuthorizeRequest<KnownApp>,
): Promise<SeeOther> => {
  const { redirectUri, isRedirectGiven, challenge } = request
  const { clientId, name: appName } = request.app.app
  const { state } = request
  const bound = { clientId, userId: signedIn.userId, redirectUri, isRedirectNamed: isRedirectGiven, appName, state }
  const code = await issueCode(store, { ...bound, ...(challenge === undefined ? {} : { challenge }) }, world)
  // Whoever ends a session ends the codes that there are by then: one that is made while the session ends goes nowhere.
  if ((await store.registry.findBrowserSession(signedIn.sessionId)) === undefined) throw new PageRefused('stale')
  return sendBack(site, request, { code })
}

const ask = async (
  page: SignedInRequest,
  { store }: PageTools,
  request: AuthorizeRequest<KnownApp>,
  given: GivenFields,
): Promise<PageResult> => {
  const { ownerId } = request.app.app
  const registrant: Registrant =
    ownerId === undefined
      ? { kind: 'operator' }
      : { kind: 'person', name: (await store.registry.findUser(ownerId))?.name }
  return showConsent(page, { request, registrant, query: writeAuthorizeQuery(given) })
}

const decisionUnknown = {
  status: 400,
  title: 'That was neither yes nor no',
  happened: 'The field “decision” has to be “allow” or “deny”. The app was told nothing.',
  advice: 'Go back, load the page again, and use one of its two buttons.',
}

/** `/authorize`: lets an app in, when the person who is signed in says so (contract, the web flow). */
export const authorizePage: PageRoute = {
  path: '/authorize',
  // Where consent is remembered a GET makes a code.
  takesNoHead: true,
  // Only what says who asks and where to go back keeps an answer from the app.
  readsEachField: true,
  get: async (page, tools) => {
    const verdict = await readAuthorize(page.fields, tools.store.registry)
    if (verdict.kind !== 'ask') return refuse(page.site, verdict)
    const { signedIn } = page
    const next = pathOfAuthorize(page.fields)
    if (signedIn === undefined && page.proxyUser !== undefined) {
      return enterElsewhere(page, tools, { name: page.proxyUser }, next)
    }
    if (signedIn === undefined) return showSignIn(page, { next, verdict, provider: tools.provider?.name })
    const { request } = verdict
    const who = { userId: signedIn.userId, app: request.app.app, redirectUri: request.redirectUri }
    const known = { ...page, signedIn }
    if (await hasConsented(tools.store.registry, who, tools.world)) return sendCode(known, tools, request)
    return ask(known, tools, request, page.fields)
  },
  post: forSignedIn(async (page, tools) => {
    // Once more: the form is the browser's, and the app may have been changed or removed since.
    const given = readAuthorizeQuery(page.form.get('request') ?? '')
    const verdict = await readAuthorize(given, tools.store.registry)
    if (verdict.kind !== 'ask') return refuse(page.site, verdict)
    const decision = page.form.get('decision')
    // An app that was renamed while the person read is asked about again, under its new name.
    const isSameApp = page.form.get('app_name') === verdict.request.app.app.name
    if (decision === 'allow' && !isSameApp) return ask(page, tools, verdict.request, given)
    if (decision === 'allow') return sendCode(page, tools, verdict.request)
    if (decision !== 'deny') throw new PageRefused(decisionUnknown)
    return sendBack(page.site, verdict.request, { error: 'access_denied', error_description: 'The person said no' })
  }),
}
