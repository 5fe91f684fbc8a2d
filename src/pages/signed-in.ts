import { canRunWebApp } from '../accounts/apps.ts'
import { findBrowserSession } from '../accounts/session-management.ts'
import { isAdmin } from '../accounts/users.ts'
import type { Environment } from '../environment.ts'
import type { Store } from '../store/store.ts'
import type {
  AboutServer,
  PageFields,
  PageHandler,
  PageRequest,
  PageTools,
  SeeOther,
  SignedIn,
  SignedInRequest,
} from './page.ts'
import { PageError } from './page-error.tsx'
import { parseLocalPath, type Site } from './site.ts'

/** Redirects to the sign-in page, and from there back to this page. The content of a form is lost. */
const redirectToSignIn = ({ path, query }: PageRequest): SeeOther => {
  const text = new URLSearchParams([...query]).toString()
  return { see: `/sign-in?${new URLSearchParams({ next: text === '' ? path : `${path}?${text}` })}` }
}

/** Limits a page to signed-in users. Other browsers are redirected to the sign-in page and back. */
export const forSignedIn =
  (handle: PageHandler<SignedInRequest>): PageHandler =>
  (request, tools) => {
    const { signedIn } = request
    return signedIn === undefined ? redirectToSignIn(request) : handle({ ...request, signedIn }, tools)
  }

/** Limits a page to administrators. Other users get 404. @throws PageError */
export const forAdmin = (handle: PageHandler<SignedInRequest>): PageHandler =>
  forSignedIn((request, tools) => {
    if (!request.signedIn.isAdmin) throw new PageError('unknown')
    return handle(request, tools)
  })

/** The `next` of a sign-in that no page requested: the web app, or the account page (`findLanding`). */
const landingPath = '/'

/**
 * Finds the page after a sign-in: the path of this server in `next` of the query or form, otherwise `landingPath`.
 */
export const findNext = (fields: PageFields): string => parseLocalPath(fields.get('next')) ?? landingPath

/** True when this server serves the web app to a browser that uses this site. */
export const servesWebApp = ({ hasWebApp }: AboutServer, { origin }: Site): boolean => hasWebApp && canRunWebApp(origin)

/**
 * Finds the path to which a sign-in redirects. For `landingPath` it is the web app, where it is served, and otherwise
 * the account page. The fragment tells the app that a user has just signed in, so that it does not show the items of
 * another user. No server receives a fragment.
 */
export const findLanding = (
  { site }: Pick<PageRequest, 'site'>,
  { about }: Pick<PageTools, 'about'>,
  next: string = landingPath,
): string => {
  if (next !== landingPath) return next
  return servesWebApp(about, site) ? '/#signed-in' : '/account'
}

/**
 * Finds the user who is signed in with the secret of a cookie; undefined when the session has ended or never existed.
 */
export const findSignedIn = async (
  store: Store,
  secret: string,
  environment: Environment,
): Promise<SignedIn | undefined> => {
  const found = await findBrowserSession(store, secret, environment)
  if (found === undefined) return undefined
  const { user, session } = found
  return {
    userId: user.id,
    userName: user.name,
    isAdmin: await isAdmin(store.registry, user),
    sessionId: session.hash,
  }
}

/** A browser, recognized by its session cookies. */
interface RecognizedBrowser {
  readonly signedIn: SignedIn | undefined
  /** The secret of the session, or of an ended one; undefined when there are several candidates, or none. */
  readonly sessionSecret: string | undefined
}

/**
 * Recognizes a browser by the secrets of its session cookies. Without https, other servers on the same host can plant a
 * cookie, and the browser does not say which is which. A cookie without a valid session is ignored, so that it signs no
 * user out. Of two valid sessions, neither is trusted.
 */
export const recognizeBrowser = async (
  secrets: readonly string[],
  findSignedIn: (secret: string) => Promise<SignedIn | undefined>,
): Promise<RecognizedBrowser> => {
  const found = await Promise.all(
    secrets.map(async (sessionSecret) => ({ sessionSecret, signedIn: await findSignedIn(sessionSecret) })),
  )
  const valid = found.filter(({ signedIn }) => signedIn !== undefined)
  const candidates = valid.length === 0 ? found : valid
  const [only] = candidates
  return only !== undefined && candidates.length === 1 ? only : { signedIn: undefined, sessionSecret: undefined }
}
