import { describeOrigin } from '../../accounts/sessions.ts'
import { nameTooLong } from '../../accounts/users.ts'
import {
  type ExternalIdentity,
  type ExternalSignInError,
  ProviderFailed,
  type ProviderFault,
  signInExternally,
} from '../../provider/openid-provider.ts'
import { PageHeader } from '../components.tsx'
import type { CookieChange, PageHandler, PageRequest, PageRoute, PageTools, ShownPage } from '../page.ts'
import { PageError, type PageErrorDetails } from '../page-error.tsx'
import { findLanding, findNext } from '../signed-in.ts'
import { checkAuthorizePath, isOwnWebApp } from './authorize-request.ts'

/** The path that begins a sign-in at the provider; the response returns to a path below it. */
export const providerPath = '/sign-in/provider'

const externalSignInErrors: Readonly<Record<ExternalSignInError, (name: string) => string>> = {
  nameTooLong: () => `The user name from the sign-in service ${nameTooLong}.`,
  unknown: (name) => `You are signed in as “${name}” at the sign-in service, but no account here has that name.`,
  disabled: (name) => `The account of “${name}” is disabled here.`,
  otherSubject: (name) => `The account “${name}” belongs to another user, who had that name before.`,
}

/** A redirect to a page of this server. */
type LocalRedirect = CookieChange & { readonly see: string }

const maxLoggedCharacters = 200

/**
 * Signs in the user of a checked identity and redirects to `next`. @throws PageError when that user cannot sign in here
 */
export const continueExternalSignIn = async (
  request: PageRequest,
  tools: PageTools,
  identity: ExternalIdentity,
  next: string,
): Promise<LocalRedirect> => {
  const { address, userAgent, requestId, sessionSecret } = request
  const { store, environment, attempts, log, mayCreateAccounts } = tools
  const by = identity.subject === undefined ? {} : { by: 'provider' as const }
  const signInContext = { origin: describeOrigin(address, userAgent), replaces: sessionSecret, ...by }
  const outcome = await signInExternally(store, identity, signInContext, environment, { mayCreate: mayCreateAccounts })
  if ('failure' in outcome) {
    log.warn(
      { requestId, user: identity.name.slice(0, maxLoggedCharacters), failure: outcome.failure },
      'a user with an external identity could not sign in',
    )
    throw new PageError({
      status: 403,
      title: 'You cannot sign in here',
      happened: externalSignInErrors[outcome.failure](identity.name),
      advice: 'Ask the administrator of this server, or sign in as another user.',
    })
  }
  await attempts.recordSuccess(address, outcome.user.id)
  return { see: findLanding(request, tools, next), session: outcome.cookie }
}

/**
 * Forwards to a page from a page of this server. The provider redirected to this server, so a redirect would count as a
 * request of another site, and the web app would need the consent of the user.
 */
const showForwarding = ({ site }: PageRequest, { see, session }: LocalRedirect): ShownPage => ({
  title: 'You are signed in',
  isNarrow: true,
  isAlone: true,
  headers: { refresh: `0; url=${site.href(see)}` },
  ...(session === undefined ? {} : { session }),
  content: (
    <>
      <PageHeader title="You are signed in">Your list opens now.</PageHeader>
      <div class="buttons">
        <a class="button main" href={site.href(see)}>
          Open my list
        </a>
      </div>
    </>
  ),
})

const callbackPath = `${providerPath}/back`

const findCallbackUrl = ({ origin, href }: PageRequest['site']): string => `${origin}${href(callbackPath)}`

const providerFaults: Readonly<Record<ProviderFault, { readonly status: number; readonly happened: string }>> = {
  unreachable: { status: 502, happened: 'The sign-in service did not send a valid response.' },
  notBegun: {
    status: 400,
    happened: 'This sign-in was not started in this browser, was already used, or has expired.',
  },
  denied: { status: 403, happened: 'The sign-in service denied the sign-in.' },
  strange: { status: 502, happened: 'The response of the sign-in service is not valid.' },
  noName: { status: 403, happened: 'The sign-in service did not send a user name for this server.' },
  notVerified: { status: 403, happened: 'The sign-in service has not verified your email address.' },
}

/** Without a base URL, the browser or an attacker in between could choose the host to which the provider redirects. */
const withoutBaseUrl: PageErrorDetails = {
  status: 403,
  title: 'You are not signed in',
  happened: 'This server does not know its own URL, so the sign-in service cannot redirect back to it.',
  advice: 'Sign in with a password. The administrator must set base_url (--base-url).',
}

/** Limits a page to servers with a provider. It shows the failures of the provider, and logs them with their causes. */
const forProvider =
  (
    handle: (
      request: PageRequest,
      tools: PageTools,
      provider: NonNullable<PageTools['provider']>,
    ) => ReturnType<PageHandler>,
  ): PageHandler =>
  async (request, tools) => {
    if (tools.provider === undefined) throw new PageError('unknown')
    if (!request.site.isConfigured) throw new PageError(withoutBaseUrl)
    try {
      return await handle(request, tools, tools.provider)
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error
      tools.log.warn({ err: error, requestId: request.requestId }, 'a sign-in at the OpenID provider failed')
      const advice = 'Start again on the sign-in page. If it happens again, tell the administrator of the server.'
      throw new PageError({ title: 'You are not signed in', advice, ...providerFaults[error.fault] })
    }
  }

/** The two pages of a sign-in at a provider: the redirect there, and the return. */
export const providerPages: readonly PageRoute[] = [
  {
    path: providerPath,
    rejectsHead: true,
    get: forProvider(async (request, tools, provider) => {
      const { query, site, signedIn, visitorSecret } = request
      const next = findNext(query)
      if (signedIn !== undefined) return { see: findLanding(request, tools, next) }
      // The sign-in page sets the cookie that identifies the browser.
      if (visitorSecret === undefined) return { see: `/sign-in?${new URLSearchParams({ next })}` }
      return { away: await provider.begin(visitorSecret, next, findCallbackUrl(site)) }
    }),
  },
  {
    path: callbackPath,
    rejectsHead: true,
    get: forProvider(async (request, tools, provider) => {
      const { next, ...identity } = await provider.finish(
        request.visitorSecret,
        request.query,
        findCallbackUrl(request.site),
      )
      const redirect = await continueExternalSignIn(request, tools, identity, next)
      const verdict = await checkAuthorizePath(next, tools.store.registry)
      const isForOwnApp = verdict?.kind === 'valid' && isOwnWebApp(verdict.request, request.site, tools.about)
      return isForOwnApp ? showForwarding(request, redirect) : redirect
    }),
  },
]
