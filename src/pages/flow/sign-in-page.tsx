import { signIn } from '../../accounts/browser-sessions.ts'
import { describeOrigin } from '../../accounts/origin.ts'
import { Refused } from '../../refused.ts'
import { findNext } from '../guards.ts'
import type { PageRequest, PageResult, PageRoute, PageTools } from '../page.ts'
import { readAuthorizePath } from './read-authorize.ts'
import { type SignInRemarks, showSignIn } from './show-sign-in.tsx'

/** What the page says of a refusal; undefined for one that it has nothing to say about. */
const describeRefusal = ({ kind, message, details }: Refused): SignInRemarks | undefined => {
  if (kind === 'passwordInvalid') {
    return { status: 422, wrong: 'User name or password is wrong. Check both, and whether Caps Lock is on.' }
  }
  if (kind !== 'tooManyAttempts' && kind !== 'signInsBusy') return undefined
  const headers = { 'retry-after': String(details.retryAfterSeconds) }
  return { status: 429, headers, wrong: `${message}. Your account is not locked: it can be used from elsewhere.` }
}

const signInWith = async (
  request: PageRequest,
  { store, world, attempts }: PageTools,
): Promise<PageResult | SignInRemarks> => {
  const { form, address, userAgent, sessionSecret } = request
  const [username, password] = [form.get('username') ?? '', form.get('password') ?? '']
  if (username === '' || password === '') {
    return { username, status: 422, wrong: 'Type your user name and your password.' }
  }
  const place = { origin: describeOrigin(address, userAgent), replaces: sessionSecret }
  try {
    const { user, cookie } = await attempts.judge({ address, username }, (checkPassword) =>
      signIn(store, { username, password, ...place }, world, checkPassword),
    )
    attempts.welcome(address, user.id)
    return { see: findNext(form), session: cookie }
  } catch (error) {
    const remarks = error instanceof Refused ? describeRefusal(error) : undefined
    if (remarks === undefined) throw error
    return { username, ...remarks }
  }
}

/** `/sign-in`: name and password, with the limits of the token endpoint; then on to where the person was going. */
export const signInPage: PageRoute = {
  path: '/sign-in',
  // A double click is one sign-in.
  isSentOnce: true,
  whenSignedInMeanwhile: ({ form }) => ({ see: findNext(form) }),
  get: async (request, { store }) => {
    const next = findNext(request.query)
    if (request.signedIn !== undefined) return { see: next }
    return showSignIn(request, { next, verdict: await readAuthorizePath(next, store.directory) })
  },
  post: async (request, tools) => {
    const outcome = await signInWith(request, tools)
    if ('see' in outcome) return outcome
    const next = findNext(request.form)
    const verdict = await readAuthorizePath(next, tools.store.directory)
    return showSignIn(request, { next, verdict }, outcome as SignInRemarks)
  },
}
