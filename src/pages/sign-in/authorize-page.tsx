import { hasConsented } from '../../accounts/apps.ts'
import { issueCode } from '../../accounts/authorization-codes.ts'
import type { AuthorizeFields, AuthorizeRequest } from '../../oauth/authorize-request.ts'
import { buildIssuer } from '../../oauth/authorize-request.ts'
import { appendToRedirect, findPolicySource, type RedirectFields } from '../../oauth/redirect-uris.ts'
import { Notice, PageHeader, PostForm } from '../components.tsx'
import type { PageResult, PageRoute, PageTools, SeeOther, ShownPage, SignedInRequest } from '../page.ts'
import { PageError } from '../page-error.tsx'
import { forSignedIn } from '../signed-in.ts'
import type { Site } from '../site.ts'
import {
  type AuthorizeCheck,
  checkAuthorize,
  isOwnWebApp,
  pathOfAuthorize,
  type RegisteredApp,
  readAuthorizeQuery,
  writeAuthorizeQuery,
} from './authorize-request.ts'
import { continueExternalSignIn } from './external-sign-in.tsx'
import { popupHeaders, showSignIn } from './sign-in-page.tsx'

// Browsers hand a redirect to these hosts to the extension with this ID, and load nothing.
const extensionHost = /\.(?:chromiumapp\.org|extensions\.allizom\.org)$/

/** Describes the target of the redirect in words. */
const describeDestination = (redirectUri: string): string => {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol !== 'http:' && protocol !== 'https:') return `the program on this device that opens ${protocol} links`
  if (protocol === 'https:' && extensionHost.test(host)) return `an extension of your browser (${host})`
  const isLoopback = protocol === 'http:' && /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname)
  return isLoopback ? `a program on this computer (${host})` : host
}

/** The registrant of an app. The page distinguishes the kinds by its words, because a user may have any name. */
type Registrant =
  | { readonly kind: 'administrator' }
  /** Without a name when the user was removed. */
  | { readonly kind: 'user'; readonly name: string | undefined }

/** The information for the consent of a user. */
interface ConsentQuestion {
  readonly request: AuthorizeRequest<RegisteredApp>
  readonly registrant: Registrant
  /** The encoded request, for the form, and for a repetition after a sign-in as another user. */
  readonly query: string
}

/**
 * The consent page (contract, authorization code flow): the app, its registrant, the access, the account and the target
 * of the redirect.
 */
const showConsent = (page: SignedInRequest, { request, registrant, query }: ConsentQuestion): ShownPage => {
  const { name } = request.app.app
  const { userName } = page.signedIn
  return {
    title: `Allow ${name}?`,
    isNarrow: true,
    isAlone: true,
    headers: popupHeaders,
    formTargets: [findPolicySource(request.redirectUri)],
    content: (
      <>
        <PageHeader title={`Allow ${name}?`}>This app asks for access to your account.</PageHeader>
        <section class="sheet" aria-label="The request">
          <dl class="facts">
            <div>
              <dt>App</dt>
              <dd>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
              </dd>
            </div>
            <div>
              <dt>Registered by</dt>
              {registrant.kind === 'administrator' ? (
                <dd>
                  <em>the administrator of this server</em>
                </dd>
              ) : (
                <dd>
                  {registrant.name === undefined ? (
                    'a removed user'
                  ) : (
                    <>
                      a user of this server, “<bdi>{registrant.name}</bdi>”
                    </>
                  )}
                </dd>
              )}
            </div>
            <div>
              <dt>Your account</dt>
              <dd>
                <bdi>{userName}</bdi>
              </dd>
            </div>
            <div>
              <dt>It can</dt>
              <dd>
                read, change and delete all your items and tag settings, until you remove its access on your account
                page. It does not see your password.
              </dd>
            </div>
            <div>
              <dt>Next page</dt>
              <dd>{describeDestination(request.redirectUri)}</dd>
            </div>
          </dl>
          {registrant.kind === 'user' && registrant.name !== userName && (
            <Notice kind="heed">Any user of this server can register an app. Allow only apps that you trust.</Notice>
          )}
          <PostForm request={page} to="/authorize">
            <input type="hidden" name="request" value={query} />
            <input type="hidden" name="app_name" value={name} />
            <div class="buttons">
              <button type="submit" name="decision" value="allow" class="main">
                Allow
              </button>
              <button type="submit" name="decision" value="deny">
                Deny
              </button>
            </div>
          </PostForm>
        </section>
        <PostForm request={page} to="/sign-out" class="foot">
          <input type="hidden" name="next" value={`/authorize?${query}`} />
          <button type="submit" class="plain">
            {`I am not ${userName}`}
          </button>
        </PostForm>
      </>
    ),
  }
}

/**
 * Shows the page for a request that must not redirect: what happened, for the user, and why, for the app's developer.
 */
const showInvalidRequest = ({
  parameter,
  reason,
}: Extract<AuthorizeCheck, { readonly kind: 'errorHere' }>): ShownPage => ({
  status: 400,
  title: 'This app cannot get access',
  isNarrow: true,
  isAlone: true,
  content: (
    <>
      <PageHeader title="This app cannot get access" />
      <section class="sheet" aria-label="The problem">
        <p>The request of the app is not valid: its client ID or redirect URI is wrong. Nothing was sent to the app.</p>
        <p>Go back to the app and try again. If it happens again, tell the developers of the app.</p>
        <p>
          For the developers: <code>{parameter}</code> {reason}.
          {parameter === 'redirect_uri' && ' It must be exactly a redirect URI that the app registered.'}
        </p>
      </section>
    </>
  ),
})

const sendBack = (
  site: Site,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | undefined },
  fields: RedirectFields,
): SeeOther => ({ away: appendToRedirect(redirectUri, { ...fields, state, iss: buildIssuer(site) }) })

/** Responds to an invalid request, without asking the user. */
const respondToInvalid = (site: Site, verdict: Exclude<AuthorizeCheck, { readonly kind: 'valid' }>): PageResult =>
  verdict.kind === 'errorHere'
    ? showInvalidRequest(verdict)
    : sendBack(site, verdict, { error: verdict.error, error_description: verdict.description })

const sendCode = async (
  { site, signedIn }: SignedInRequest,
  { store, environment }: PageTools,
  request: AuthorizeRequest<RegisteredApp>,
): Promise<SeeOther> => {
  const { redirectUri, isRedirectGiven, challenge } = request
  const { clientId, name: appName } = request.app.app
  const { state } = request
  const bound = { clientId, userId: signedIn.userId, redirectUri, isRedirectNamed: isRedirectGiven, appName, state }
  const code = await issueCode(store, { ...bound, ...(challenge === undefined ? {} : { challenge }) }, environment)
  // The end of a session deletes the codes that exist then. A code issued while the session ends must not be sent.
  if ((await store.registry.findBrowserSession(signedIn.sessionId)) === undefined) throw new PageError('stale')
  return sendBack(site, request, { code })
}

const requestConsent = async (
  page: SignedInRequest,
  { store }: PageTools,
  request: AuthorizeRequest<RegisteredApp>,
  given: AuthorizeFields,
): Promise<PageResult> => {
  const { ownerId } = request.app.app
  const registrant: Registrant =
    ownerId === undefined
      ? { kind: 'administrator' }
      : { kind: 'user', name: (await store.registry.findUser(ownerId))?.name }
  return showConsent(page, { request, registrant, query: writeAuthorizeQuery(given) })
}

const decisionUnknown = {
  status: 400,
  title: 'The decision is missing',
  happened: 'The field “decision” must be “allow” or “deny”. Nothing was sent to the app.',
  advice: 'Go back, load the page again, and use one of its two buttons.',
}

/** `/authorize`: gives an app access when the signed-in user allows it (contract, authorization code flow). */
export const authorizePage: PageRoute = {
  path: '/authorize',
  // Where consent is remembered, GET issues a code.
  rejectsHead: true,
  // An unreadable field is reported to the app, unless it is the client id or the redirect URI.
  readsEachField: true,
  get: async (page, tools) => {
    const verdict = await checkAuthorize(page.fields, tools.store.registry)
    if (verdict.kind !== 'valid') return respondToInvalid(page.site, verdict)
    const { signedIn } = page
    const next = pathOfAuthorize(page.fields)
    if (signedIn === undefined && page.proxyUser !== undefined) {
      return continueExternalSignIn(page, tools, { name: page.proxyUser }, next)
    }
    if (signedIn === undefined) {
      const { isRegistrationOpen } = tools.about
      return showSignIn(page, { next, verdict, provider: tools.provider?.name, isRegistrationOpen })
    }
    const { request } = verdict
    const grant = { userId: signedIn.userId, app: request.app.app, redirectUri: request.redirectUri }
    const userPage = { ...page, signedIn }
    // The web app is a part of this server, so its own page gets a code at once. Another site cannot request one so.
    if (page.isFromOwnPage && isOwnWebApp(request, page.site, tools.about)) return sendCode(userPage, tools, request)
    if (await hasConsented(tools.store.registry, grant, tools.environment)) return sendCode(userPage, tools, request)
    return requestConsent(userPage, tools, request, page.fields)
  },
  post: forSignedIn(async (page, tools) => {
    // Checked again: the browser controls the form, and the app may have been changed or removed since.
    const given = readAuthorizeQuery(page.form.get('request') ?? '')
    const verdict = await checkAuthorize(given, tools.store.registry)
    if (verdict.kind !== 'valid') return respondToInvalid(page.site, verdict)
    const decision = page.form.get('decision')
    // If the app was renamed since the page was shown, the page is shown again with the new name.
    const isSameApp = page.form.get('app_name') === verdict.request.app.app.name
    if (decision === 'allow' && !isSameApp) return requestConsent(page, tools, verdict.request, given)
    if (decision === 'allow') return sendCode(page, tools, verdict.request)
    if (decision !== 'deny') throw new PageError(decisionUnknown)
    return sendBack(page.site, verdict.request, { error: 'access_denied', error_description: 'The user denied access' })
  }),
}
