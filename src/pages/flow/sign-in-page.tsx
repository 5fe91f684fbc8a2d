import { signIn } from '../../accounts/browser-sessions.ts'
import { type CheckPassword, checkUser } from '../../accounts/check-user.ts'
import { isNameTooLong, nameTooLong } from '../../accounts/find-user.ts'
import { describeOrigin } from '../../accounts/origin.ts'
import { Refused } from '../../refused.ts'
import { findNext } from '../guards.ts'
import type { PageRequest, PageResult, PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { enterElsewhere } from './enter-elsewhere.ts'
import { readAuthorizePath } from './read-authorize.ts'
import { type SignInRemarks, type SignInWay, showSignIn } from './show-sign-in.tsx'

/** What the page says of a refusal; undefined for one that it has nothing to say about. */
const describeRefusal = ({ kind, message, details }: Refused): SignInRemarks | undefined => {
  if (kind === 'passwordInvalid') {
    return { status: 422, wrong: 'User name or password is wrong. Check both, and whether Caps Lock is on.' }
  }
  if (kind !== 'tooManyAttempts' && kind !== 'signInsBusy') return undefined
  const headers = { 'retry-after': String(details.retryAfterSeconds) }
  return { status: 429, headers, wrong: `${message}. Your account is not locked: it can be used from elsewhere.` }
}

interface Typed {
  readonly username: string
  readonly password: string
}

/** Judges name and password of the form, and does with them what is to be done; gives what the page says if they are wrong. */
const judgeForm = async <T,>(
  { form, address, requestId }: PageRequest,
  { attempts }: PageTools,
  work: (given: Typed, checkPassword: CheckPassword) => Promise<T>,
): Promise<{ readonly done: T } | SignInRemarks> => {
  const [username, password] = [form.get('username') ?? '', form.get('password') ?? '']
  if (username === '' || password === '') {
    return { username, status: 422, wrong: 'Type your user name and your password.' }
  }
  // No user has such a name, so this tells nothing about who has an account.
  if (isNameTooLong(username)) return { status: 422, wrong: `The user name ${nameTooLong}.` }
  try {
    const done = await attempts.judge({ address, username, requestId }, (check) => work({ username, password }, check))
    return { done }
  } catch (error) {
    const remarks = error instanceof Refused ? describeRefusal(error) : undefined
    if (remarks === undefined) throw error
    return { username, ...remarks }
  }
}

const describeWay = async ({ store, provider }: PageTools, next: string): Promise<SignInWay> => ({
  next,
  verdict: await readAuthorizePath(next, store.registry),
  provider: provider?.name,
})

const showAgain = async (request: PageRequest, tools: PageTools, remarks: SignInRemarks): Promise<ShownPage> =>
  showSignIn(request, await describeWay(tools, findNext(request.form)), remarks)

/**
 * A form that was open in a second tab: whoever it names is signed in already, or it is shown again. It is not believed
 * to sign somebody else in, for nobody knows whether this browser was given it.
 */
const goOnSignedIn = async (request: SignedInRequest, tools: PageTools): Promise<PageResult> => {
  const { signedIn, address } = request
  const outcome = await judgeForm(request, tools, (typed, check) => checkUser(tools.store, typed, check))
  if (!('done' in outcome)) return showAgain(request, tools, outcome)
  const { id, name } = outcome.done
  await tools.attempts.welcome(address, id)
  if (id === signedIn.userId) return { see: findNext(request.form) }
  const wrong = `This browser is signed in as ${signedIn.userName} by now. Type the password of ${name} again to change that.`
  return showAgain(request, tools, { username: name, status: 422, wrong })
}

/** `/sign-in`: name and password, with the limits of the token endpoint; then on to where the person was going. */
export const signInPage: PageRoute = {
  path: '/sign-in',
  // A double click is one sign-in.
  isSentOnce: true,
  whenSignedInMeanwhile: goOnSignedIn,
  get: async (request, tools) => {
    const { query, proxyUser, site } = request
    const next = findNext(query)
    if (request.signedIn !== undefined) return { see: next }
    if (proxyUser !== undefined) return enterElsewhere(request, tools, { name: proxyUser }, next)
    const isSignedOut = query.get('signed-out') === 'provider'
    const signOut =
      isSignedOut && site.isGiven
        ? await tools.provider?.findSignOut(`${site.origin}${site.href('/sign-in')}`)
        : undefined
    return showSignIn(request, await describeWay(tools, next), signOut === undefined ? {} : { signOut })
  },
  post: async (request, tools) => {
    const { form, address, userAgent, sessionSecret } = request
    const { store, world, attempts } = tools
    const place = { origin: describeOrigin(address, userAgent), replaces: sessionSecret }
    const outcome = await judgeForm(request, tools, (typed, check) =>
      signIn(store, { ...typed, ...place }, world, check),
    )
    if (!('done' in outcome)) return showAgain(request, tools, outcome)
    const { user, cookie } = outcome.done
    await attempts.welcome(address, user.id)
    return { see: findNext(form), session: cookie }
  },
}
