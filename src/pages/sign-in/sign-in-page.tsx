import { webAppId } from '../../accounts/apps.ts'
import { endBrowserSession, signIn } from '../../accounts/session-management.ts'
import { describeOrigin } from '../../accounts/sessions.ts'
import { type CheckPassword, checkUser, isNameTooLong, nameTooLong } from '../../accounts/users.ts'
import { ApiError } from '../../api-error.ts'
import { findPolicySource } from '../../oauth/redirect-uris.ts'
import { Notice, PageHeader, PasswordField, PostForm, TextField } from '../components.tsx'
import type { PageRequest, PageResult, PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { findLanding, findNext, servesWebApp } from '../signed-in.ts'
import { parseLocalPath } from '../site.ts'
import { type AuthorizeCheck, checkAuthorizePath } from './authorize-request.ts'
import { continueExternalSignIn, providerPath } from './external-sign-in.tsx'

/**
 * Headers of pages that apps open in windows of their own. With the usual policy, the app would lose its window and
 * wait permanently.
 */
export const popupHeaders: Readonly<Record<string, string>> = { 'cross-origin-opener-policy': 'unsafe-none' }

/** The messages of a sign-in page, and its status. */
interface SignInRemarks {
  /** The previous input for the name. */
  readonly username?: string
  readonly wrong?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The URL that signs the user out at the provider, after the sign-out here. */
  readonly signOut?: string
  /** True after a sign-out of the pages, which does not sign the app out. */
  readonly isAppUnaffected?: boolean
}

/** The purpose of a sign-in, and its alternative. */
interface SignInPurpose {
  /** The page after the sign-in. */
  readonly next: string
  /** The check of the request of an app; undefined when no app requested it. */
  readonly verdict: AuthorizeCheck | undefined
  /** The name of the OpenID provider, where one is set. */
  readonly provider: string | undefined
  /** Whether everybody may create an account (`open_registration`). */
  readonly isRegistrationOpen: boolean
}

/** Finds the targets to which a sign-in may redirect at once. Browsers check the policy of a form at each redirect. */
const findFormTargets = (verdict: AuthorizeCheck | undefined): readonly string[] => {
  if (verdict === undefined || verdict.kind === 'errorHere') return []
  return [findPolicySource(verdict.kind === 'valid' ? verdict.request.redirectUri : verdict.redirectUri)]
}

/** Shows the sign-in page. */
export const showSignIn = (
  request: PageRequest,
  { next, verdict, provider, isRegistrationOpen }: SignInPurpose,
  { username, wrong, status, headers, signOut, isAppUnaffected = false }: SignInRemarks = {},
): ShownPage => {
  const app = verdict?.kind === 'valid' ? verdict.request.app.app : undefined
  const { host } = new URL(request.site.origin)
  return {
    title: 'Sign in',
    ...(verdict === undefined
      ? { description: 'Sign in to your notes, bookmarks and to-dos on this thingsync server.' }
      : {}),
    isNarrow: true,
    isAlone: true,
    script: '/show-password.js',
    ...(status === undefined ? {} : { status }),
    // Firefox tells the next page that it was opened from outside, unless the form has a referrer.
    headers: { ...popupHeaders, 'referrer-policy': 'same-origin', ...headers },
    formTargets: findFormTargets(verdict),
    content: (
      <>
        <PageHeader title={app?.clientId === webAppId ? 'Sign in to your list' : 'Sign in'}>
          {app === undefined ? (
            `To your account at ${host}.`
          ) : app.clientId === webAppId ? (
            `With your account at ${host}.`
          ) : (
            <>
              To continue to{' '}
              <strong>
                <bdi>{app.name}</bdi>
              </strong>
              . It does not see your password.
            </>
          )}
        </PageHeader>
        {wrong !== undefined && <Notice kind="bad">{wrong}</Notice>}
        {signOut !== undefined && (
          <Notice kind="heed">
            You are signed out of this server, but not of {provider}. <a href={signOut}>Sign out of {provider}</a>
          </Notice>
        )}
        {isAppUnaffected && (
          <Notice>
            You are signed out of these pages. The <a href={request.site.href('/')}>app</a> has its own sign-out, in its
            settings.
          </Notice>
        )}
        {provider !== undefined && (
          <section class="sheet" aria-label={provider}>
            <div class="buttons">
              <a class="button main" href={request.site.href(`${providerPath}?${new URLSearchParams({ next })}`)}>
                Sign in with {provider}
              </a>
            </div>
          </section>
        )}
        <section class="sheet" aria-label="Sign in">
          <PostForm request={request} to="/sign-in">
            <input type="hidden" name="next" value={next} />
            <TextField
              name="username"
              label="User name"
              value={username}
              autocomplete="username"
              isFocused={username === undefined}
            />
            <PasswordField
              name="password"
              label="Password"
              autocomplete="current-password"
              hint={
                isRegistrationOpen ? (
                  <>
                    Forgotten? Ask your administrator. No account?{' '}
                    <a href={request.site.href('/register')}>Create one</a>
                  </>
                ) : (
                  'Forgotten, or no account? Ask your administrator.'
                )
              }
              isFocused={username !== undefined}
            />
            <div class="buttons">
              <button type="submit" class="main">
                Sign in
              </button>
            </div>
          </PostForm>
        </section>
      </>
    ),
  }
}

/** Describes an error on the sign-in page; undefined for errors that the page does not handle. */
const describeSignInError = ({ kind, message, details }: ApiError): SignInRemarks | undefined => {
  if (kind === 'passwordInvalid') {
    return { status: 422, wrong: 'The user name or the password is wrong. Check both, and check Caps Lock.' }
  }
  if (kind !== 'tooManyAttempts' && kind !== 'signInsBusy') return undefined
  const headers = { 'retry-after': String(details.retryAfterSeconds) }
  return { status: 429, headers, wrong: `${message}. Your account is not locked: it can be used from elsewhere.` }
}

interface Credentials {
  readonly username: string
  readonly password: string
}

/** Runs work with the name and password of a form; returns the messages of the page when they are wrong. */
const checkSignInForm = async <T,>(
  { form, address, requestId }: PageRequest,
  { attempts }: PageTools,
  work: (given: Credentials, checkPassword: CheckPassword) => Promise<T>,
): Promise<{ readonly done: T } | SignInRemarks> => {
  const [username, password] = [form.get('username') ?? '', form.get('password') ?? '']
  if (username === '' || password === '') {
    return { username, status: 422, wrong: 'Enter your user name and your password.' }
  }
  // No user has such a name, so this reveals nothing about the accounts.
  if (isNameTooLong(username)) return { status: 422, wrong: `The user name ${nameTooLong}.` }
  try {
    const done = await attempts.check({ address, username, requestId }, (check) => work({ username, password }, check))
    return { done }
  } catch (error) {
    const remarks = error instanceof ApiError ? describeSignInError(error) : undefined
    if (remarks === undefined) throw error
    return { username, ...remarks }
  }
}

const describePurpose = async ({ store, provider, about }: PageTools, next: string): Promise<SignInPurpose> => ({
  next,
  verdict: await checkAuthorizePath(next, store.registry),
  provider: provider?.name,
  isRegistrationOpen: about.isRegistrationOpen,
})

const showAgain = async (request: PageRequest, tools: PageTools, remarks: SignInRemarks): Promise<ShownPage> =>
  showSignIn(request, await describePurpose(tools, findNext(request.form)), remarks)

/**
 * Handles a form from a second tab after the user has signed in. If it names the same user, it continues; otherwise it
 * shows the form again. It never changes the signed-in user, because its token was not checked (login CSRF).
 */
const goOnSignedIn = async (request: SignedInRequest, tools: PageTools): Promise<PageResult> => {
  const { signedIn, address } = request
  const outcome = await checkSignInForm(request, tools, (typed, check) => checkUser(tools.store, typed, check))
  if (!('done' in outcome)) return showAgain(request, tools, outcome)
  const { id, name } = outcome.done
  await tools.attempts.recordSuccess(address, id)
  if (id === signedIn.userId) return { see: findLanding(request, tools, findNext(request.form)) }
  const wrong = `This browser is signed in as ${signedIn.userName} by now. Type the password of ${name} again to change that.`
  return showAgain(request, tools, { username: name, status: 422, wrong })
}

/** `/sign-in`: signs in by name and password, with the limits of the token endpoint, then redirects to `next`. */
export const signInPage: PageRoute = {
  path: '/sign-in',
  // A double click is one sign-in.
  isDeduplicated: true,
  whenSignedInMeanwhile: goOnSignedIn,
  get: async (request, tools) => {
    const { query, proxyUser, site } = request
    const next = findNext(query)
    if (request.signedIn !== undefined) return { see: findLanding(request, tools, next) }
    if (proxyUser !== undefined) return continueExternalSignIn(request, tools, { name: proxyUser }, next)
    const isAppUnaffected = query.has('signed-out') && servesWebApp(tools.about, site)
    const isSignedOut = query.get('signed-out') === 'provider'
    const signOut =
      isSignedOut && site.isConfigured
        ? await tools.provider?.findSignOut(`${site.origin}${site.href('/sign-in')}`)
        : undefined
    const remarks = { isAppUnaffected, ...(signOut === undefined ? {} : { signOut }) }
    return showSignIn(request, await describePurpose(tools, next), remarks)
  },
  post: async (request, tools) => {
    const { form, address, userAgent, sessionSecret } = request
    const { store, environment, attempts } = tools
    const signInContext = { origin: describeOrigin(address, userAgent), replaces: sessionSecret }
    const outcome = await checkSignInForm(request, tools, (typed, check) =>
      signIn(store, { ...typed, ...signInContext }, environment, check),
    )
    if (!('done' in outcome)) return showAgain(request, tools, outcome)
    const { user, cookie } = outcome.done
    await attempts.recordSuccess(address, user.id)
    return { see: findLanding(request, tools, findNext(form)), session: cookie }
  },
}

/** `POST /sign-out`: ends the session of this browser; apps keep their sessions. The web app also uses it. */
export const signOutPage: PageRoute = {
  path: '/sign-out',
  trustsOwnPages: true,
  post: async ({ form, site, sessionSecret }, { store, about }) => {
    const ended = sessionSecret === undefined ? undefined : await endBrowserSession(store, sessionSecret)
    const pages = servesWebApp(about, site) ? '/sign-in?signed-out=pages' : '/sign-in'
    const signIn = ended?.by === 'provider' ? '/sign-in?signed-out=provider' : pages
    return { see: parseLocalPath(form.get('next')) ?? signIn, session: null }
  },
}
