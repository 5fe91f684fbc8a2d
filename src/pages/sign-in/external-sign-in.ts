import { describeOrigin } from '../../accounts/sessions.ts'
import { nameTooLong } from '../../accounts/users.ts'
import {
  type ExternalIdentity,
  type ExternalSignInError,
  ProviderFailed,
  type ProviderFault,
  signInExternally,
} from '../../provider/openid-provider.ts'
import type { PageHandler, PageRequest, PageRoute, PageTools, SeeOther } from '../page.ts'
import { PageError, type PageErrorDetails } from '../page-error.tsx'
import { findNext } from '../signed-in.ts'

/** Where a sign-in at the provider begins; its answer comes back below. */
export const providerPath = '/sign-in/provider'

const externalSignInErrors: Readonly<Record<ExternalSignInError, (name: string) => string>> = {
  nameTooLong: () => `The user name that is given there ${nameTooLong}.`,
  unknown: (name) => `You are signed in as “${name}” there, and nobody of that name has an account here.`,
  disabled: (name) => `The account of “${name}” is disabled here.`,
  otherSubject: (name) => `The account “${name}” belongs to somebody else, who had that name before.`,
}

const maxLoggedCharacters = 200

/** Signs in whoever a proxy or a provider vouches for, and goes on. @throws PageError when the person has no way in here */
export const continueExternalSignIn = async (
  { address, userAgent, requestId, sessionSecret }: PageRequest,
  { store, environment, attempts, log, mayCreateAccounts }: PageTools,
  known: ExternalIdentity,
  next: string,
): Promise<SeeOther> => {
  const by = known.subject === undefined ? {} : { by: 'provider' as const }
  const signInContext = { origin: describeOrigin(address, userAgent), replaces: sessionSecret, ...by }
  const outcome = await signInExternally(store, known, signInContext, environment, { mayCreate: mayCreateAccounts })
  if ('failure' in outcome) {
    log.warn(
      { requestId, user: known.name.slice(0, maxLoggedCharacters), failure: outcome.failure },
      'somebody who is known elsewhere was not let in',
    )
    throw new PageError({
      status: 403,
      title: 'You have no way in here',
      happened: externalSignInErrors[outcome.failure](known.name),
      advice: 'Ask the person who runs this server, or sign in as somebody else.',
    })
  }
  await attempts.recordSuccess(address, outcome.user.id)
  return { see: next, session: outcome.cookie }
}

const callbackPath = `${providerPath}/back`

const findCallbackUrl = ({ origin, href }: PageRequest['site']): string => `${origin}${href(callbackPath)}`

const providerFaults: Readonly<Record<ProviderFault, { readonly status: number; readonly happened: string }>> = {
  unreachable: { status: 502, happened: 'The sign-in service does not answer as it should.' },
  notBegun: { status: 400, happened: 'This sign-in was not begun in this browser, was used before, or took too long.' },
  denied: { status: 403, happened: 'The sign-in service let nobody in.' },
  strange: { status: 502, happened: 'What the sign-in service answered cannot be believed.' },
  noName: { status: 403, happened: 'The sign-in service does not say who you are here.' },
  notVerified: { status: 403, happened: 'The sign-in service has not checked that your mail address is yours.' },
}

/** The provider would be told to lead back to whatever host the browser, or somebody in between, has named. */
const withoutBaseUrl: PageErrorDetails = {
  status: 403,
  title: 'You are not signed in',
  happened: 'This server was not told its own address, so the sign-in service cannot lead back to it.',
  advice: 'Sign in with a password. Whoever runs the server has to set base_url (--base-url).',
}

/** A page that is there only where a provider is set; what the provider does wrong is told, and logged with its cause. */
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
      tools.log.warn({ err: error, requestId: request.requestId }, 'a sign-in by the provider failed')
      const advice = 'Begin again on the sign-in page. If it stays like this, tell the person who runs the server.'
      throw new PageError({ title: 'You are not signed in', advice, ...providerFaults[error.fault] })
    }
  }

/** The two pages of a sign-in at a provider: on the way there, and back. */
export const providerPages: readonly PageRoute[] = [
  {
    path: providerPath,
    rejectsHead: true,
    get: forProvider(async ({ query, site, signedIn, visitorSecret }, _tools, provider) => {
      const next = findNext(query)
      if (signedIn !== undefined) return { see: next }
      // The sign-in page gives the cookie by which the browser is known again.
      if (visitorSecret === undefined) return { see: `/sign-in?${new URLSearchParams({ next })}` }
      return { away: await provider.begin(visitorSecret, next, findCallbackUrl(site)) }
    }),
  },
  {
    path: callbackPath,
    rejectsHead: true,
    get: forProvider(async (request, tools, provider) => {
      const { next, ...known } = await provider.finish(
        request.visitorSecret,
        request.query,
        findCallbackUrl(request.site),
      )
      return continueExternalSignIn(request, tools, known, next)
    }),
  },
]
