import { ProviderFailed, type ProviderFault } from '../../provider/provider.ts'
import { findNext } from '../guards.ts'
import type { PageHandler, PageRequest, PageRoute, PageTools } from '../page.ts'
import { PageRefused, type Refusal } from '../page-refused.ts'
import { enterElsewhere } from './enter-elsewhere.ts'
import { providerPath } from './provider-path.ts'

const backPath = `${providerPath}/back`

const backTo = ({ origin, href }: PageRequest['site']): string => `${origin}${href(backPath)}`

const faults: Readonly<Record<ProviderFault, { readonly status: number; readonly happened: string }>> = {
  unreachable: { status: 502, happened: 'The sign-in service does not answer as it should.' },
  notBegun: { status: 400, happened: 'This sign-in was not begun in this browser, was used before, or took too long.' },
  denied: { status: 403, happened: 'The sign-in service let nobody in.' },
  strange: { status: 502, happened: 'What the sign-in service answered cannot be believed.' },
  noName: { status: 403, happened: 'The sign-in service does not say who you are here.' },
  notVerified: { status: 403, happened: 'The sign-in service has not checked that your mail address is yours.' },
}

/** The provider would be told to lead back to whatever host the browser, or somebody in between, has named. */
const withoutBaseUrl: Refusal = {
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
    if (tools.provider === undefined) throw new PageRefused('unknown')
    if (!request.site.isGiven) throw new PageRefused(withoutBaseUrl)
    try {
      return await handle(request, tools, tools.provider)
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error
      tools.log.warn({ err: error, requestId: request.requestId }, 'a sign-in by the provider failed')
      const advice = 'Begin again on the sign-in page. If it stays like this, tell the person who runs the server.'
      throw new PageRefused({ title: 'You are not signed in', advice, ...faults[error.fault] })
    }
  }

/** The two pages of a sign-in at a provider: on the way there, and back. */
export const providerPages: readonly PageRoute[] = [
  {
    path: providerPath,
    takesNoHead: true,
    get: forProvider(async ({ query, site, signedIn, visitorSecret }, _tools, provider) => {
      const next = findNext(query)
      if (signedIn !== undefined) return { see: next }
      // The sign-in page gives the cookie by which the browser is known again.
      if (visitorSecret === undefined) return { see: `/sign-in?${new URLSearchParams({ next })}` }
      return { away: await provider.begin(visitorSecret, next, backTo(site)) }
    }),
  },
  {
    path: backPath,
    takesNoHead: true,
    get: forProvider(async (request, tools, provider) => {
      const { next, ...known } = await provider.finish(request.visitorSecret, request.query, backTo(request.site))
      return enterElsewhere(request, tools, known, next)
    }),
  },
]
