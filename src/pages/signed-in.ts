import { findBrowserSession } from '../accounts/session-management.ts'
import { isAdmin } from '../accounts/users.ts'
import type { Environment } from '../environment.ts'
import type { Store } from '../store/store.ts'
import type { PageFields, PageHandler, PageRequest, SeeOther, SignedIn, SignedInRequest } from './page.ts'
import { PageError } from './page-error.tsx'
import { parseLocalPath } from './site.ts'

/** To the sign-in page, and from there back to this one; what a form held is lost, so only its page is named. */
const redirectToSignIn = ({ path, query }: PageRequest): SeeOther => {
  const text = new URLSearchParams([...query]).toString()
  return { see: `/sign-in?${new URLSearchParams({ next: text === '' ? path : `${path}?${text}` })}` }
}

/** A page for those who are signed in; others are sent to the sign-in page and back. */
export const forSignedIn =
  (handle: PageHandler<SignedInRequest>): PageHandler =>
  (request, tools) => {
    const { signedIn } = request
    return signedIn === undefined ? redirectToSignIn(request) : handle({ ...request, signedIn }, tools)
  }

/** A page for admins; for everybody else it is not there. */
export const forAdmin = (handle: PageHandler<SignedInRequest>): PageHandler =>
  forSignedIn((request, tools) => {
    if (!request.signedIn.isAdmin) throw new PageError('unknown')
    return handle(request, tools)
  })

/** Where to go after a sign-in: the path of ours that `next` of the query or form names, or the account. */
export const findNext = (fields: PageFields): string => parseLocalPath(fields.get('next')) ?? '/account'

/** Who is signed in with the secret of a cookie; undefined when nobody is, or not any more. */
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

/** Whose browser it is. */
interface RecognizedBrowser {
  readonly signedIn: SignedIn | undefined
  /** The secret of the session, or of one that has ended; undefined when nobody can tell which it is. */
  readonly sessionSecret: string | undefined
}

/**
 * Finds whose browser it is by the secrets of its session cookies. Without https others of the same host can plant a
 * cookie beside ours, and the browser does not say which is which: one of no living session is passed over, so that it
 * signs nobody out, but of two living sessions neither is believed.
 */
export const recognizeBrowser = async (
  secrets: readonly string[],
  findSignedIn: (secret: string) => Promise<SignedIn | undefined>,
): Promise<RecognizedBrowser> => {
  const found = await Promise.all(
    secrets.map(async (sessionSecret) => ({ sessionSecret, signedIn: await findSignedIn(sessionSecret) })),
  )
  const living = found.filter(({ signedIn }) => signedIn !== undefined)
  const candidates = living.length === 0 ? found : living
  const [only] = candidates
  return only !== undefined && candidates.length === 1 ? only : { signedIn: undefined, sessionSecret: undefined }
}
