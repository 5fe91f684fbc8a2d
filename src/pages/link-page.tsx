import { acceptInvitation, findLink, setPasswordByLink, signInByLink } from '../accounts/links.ts'
import type { SignedIn } from '../accounts/session-management.ts'
import { describeOrigin } from '../accounts/sessions.ts'
import { ApiError } from '../api-error.ts'
import type { Link } from '../store/registry/registry.ts'
import { PageHeader, PasswordField, PostForm, TextField } from './components.tsx'
import type { PageRequest, PageRoute, PageTools, ShownPage } from './page.ts'
import { type FieldErrors, PageError, tryForm } from './page-error.tsx'
import { findLanding } from './signed-in.ts'

const invalidLink = {
  status: 404,
  title: 'This link is not valid',
  happened: 'The link was already used, was replaced by a newer one, has expired, or is incomplete.',
  advice:
    'Ask the sender for a new link. An administrator creates one with “thingsync user link”, or with “thingsync user invite” for a new account.',
}

const texts: Readonly<
  Record<Link['kind'], { readonly title: string; readonly sentence: string; readonly act: string }>
> = {
  'first-sign-in': {
    title: 'Welcome',
    sentence: 'Choose a password for your next sign-in. This link works only once.',
    act: 'Open my list',
  },
  'set-password': {
    title: 'Set your password',
    sentence: 'This signs out every app, token and browser of this account.',
    act: 'Set the password',
  },
  invitation: {
    title: 'Create your account',
    sentence: 'You are invited to create an account on this server.',
    act: 'Create the account',
  },
}

const passwordAdvice = 'At least 8 characters. Several words are better than a few special characters.'

const NewPassword = ({ wrongs, isOptional }: { readonly wrongs: FieldErrors; readonly isOptional: boolean }) => (
  <>
    <PasswordField
      name="password"
      label="Password"
      autocomplete="new-password"
      isOptional={isOptional}
      hint={isOptional ? `${passwordAdvice} Leave it empty to keep the present password.` : passwordAdvice}
      error={wrongs.password}
    />
    <PasswordField
      name="again"
      label="Password again"
      autocomplete="new-password"
      isOptional={isOptional}
      error={wrongs.again}
    />
  </>
)

type FoundLink = Awaited<ReturnType<typeof findLink>>

const show = (request: PageRequest, { link, user }: FoundLink, key: string, wrongs: FieldErrors = {}): ShownPage => {
  const { title, sentence, act } = texts[link.kind]
  const name = user?.name ?? link.name
  return {
    title,
    isNarrow: true,
    isAlone: true,
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <PageHeader title={title}>{sentence}</PageHeader>
        <section class="sheet" aria-label={title}>
          <PostForm request={request}>
            <input type="hidden" name="key" value={key} />
            {name === undefined ? (
              <TextField
                name="name"
                label="User name"
                autocomplete="username"
                value={request.form.get('name')}
                error={wrongs.name}
                isFocused={true}
              />
            ) : (
              <>
                <p>
                  User name: <strong>{name}</strong>
                </p>
                {wrongs.name !== undefined && <p class="wrong">{wrongs.name}</p>}
                <input type="text" name="username" value={name} autocomplete="username" hidden />
              </>
            )}
            <NewPassword wrongs={wrongs} isOptional={link.kind === 'first-sign-in'} />
            <div class="buttons">
              <button type="submit" class="main">
                {act}
              </button>
            </div>
          </PostForm>
        </section>
      </>
    ),
  }
}

/**
 * Runs work on a link; a wrong link counts as a failed attempt of the IP address. @throws PageError for an invalid link
 */
const checkLink = async <T,>(
  { address, requestId }: PageRequest,
  { attempts }: PageTools,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await attempts.check({ address, requestId }, work)
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'linkInvalid') throw new PageError(invalidLink)
    throw error
  }
}

/**
 * `/link?key=…`: shows a one-time link. GET does not use it up, because mail and chat programs open links before users
 * do; the button does.
 */
export const linkPage: PageRoute = {
  path: '/link',
  isDeduplicated: true,
  get: async (request, tools) => {
    const key = request.query.get('key') ?? ''
    const found = await checkLink(request, tools, () => findLink(tools.store.registry, key, tools.environment))
    return show(request, found, key)
  },
  post: async (request, tools) => {
    const { form, address, userAgent, sessionSecret } = request
    const { store, environment } = tools
    const [secret, password] = [form.get('key') ?? '', form.get('password') ?? '']
    const found = await checkLink(request, tools, () => findLink(store.registry, secret, environment))
    const { kind } = found.link
    if (password !== (form.get('again') ?? '')) {
      return show(request, found, secret, { again: 'The passwords do not match.' })
    }
    const signInContext = { origin: describeOrigin(address, userAgent), replaces: sessionSecret }
    const use: Readonly<Record<Link['kind'], () => Promise<SignedIn>>> = {
      'first-sign-in': () =>
        signInByLink(store, { ...signInContext, secret, password: password || undefined }, environment),
      'set-password': () => setPasswordByLink(store, { ...signInContext, secret, password }, environment),
      invitation: () =>
        acceptInvitation(store, { ...signInContext, secret, password, name: form.get('name') ?? '' }, environment),
    }
    const outcome = await checkLink(request, tools, () => tryForm(use[kind]))
    if ('wrongs' in outcome) return show(request, found, secret, outcome.wrongs)
    const { cookie: session, user } = outcome.done
    await tools.attempts.recordSuccess(address, user.id)
    return { see: findLanding(request, tools), session }
  },
}
