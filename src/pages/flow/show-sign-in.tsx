import { policySourceOf } from '../../oauth/redirect-uri.ts'
import { Head, Note, PasswordField, PostForm, TextField } from '../form-parts.tsx'
import type { PageRequest, ShownPage } from '../page.ts'
import { forPopups } from './popup.ts'
import { providerPath } from './provider-path.ts'
import type { Verdict } from './read-authorize.ts'

/** What a sign-in page says beside its form. */
export interface SignInRemarks {
  /** What was typed as name before. */
  readonly username?: string
  readonly wrong?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Where the person is signed out of the provider, too, after having been signed out here. */
  readonly signOut?: string
}

/** What a sign-in is for, and how else it can be done. */
export interface SignInWay {
  /** Where it goes on to. */
  readonly next: string
  /** The request of an app, if it is that. */
  readonly verdict: Verdict | undefined
  /** The name of the OpenID provider, where one is set. */
  readonly provider: string | undefined
}

/** Where the request behind a sign-in may lead at once: browsers ask for the policy of a form at each redirect. */
const targetsOf = (verdict: Verdict | undefined): readonly string[] => {
  if (verdict === undefined || verdict.kind === 'refusedHere') return []
  return [policySourceOf(verdict.kind === 'ask' ? verdict.request.redirectUri : verdict.redirectUri)]
}

/** The sign-in page. */
export const showSignIn = (
  request: PageRequest,
  { next, verdict, provider }: SignInWay,
  { username, wrong, status, headers, signOut }: SignInRemarks = {},
): ShownPage => {
  const app = verdict?.kind === 'ask' ? verdict.request.app.app : undefined
  return {
    title: 'Sign in',
    ...(verdict === undefined
      ? { description: 'Sign in to your notes and bookmarks, which thingsync keeps in step across your devices.' }
      : {}),
    isNarrow: true,
    isAlone: true,
    ...(status === undefined ? {} : { status }),
    headers: { ...forPopups, ...headers },
    formTargets: targetsOf(verdict),
    content: (
      <>
        <Head title="Sign in">
          {app === undefined ? (
            `To your account at ${new URL(request.site.origin).host}.`
          ) : (
            <>
              To go on to{' '}
              <strong>
                <bdi>{app.name}</bdi>
              </strong>
              . It does not see your password.
            </>
          )}
        </Head>
        {wrong !== undefined && <Note kind="bad">{wrong}</Note>}
        {signOut !== undefined && (
          <Note kind="heed">
            You are signed out here. {provider} still knows this browser: <a href={signOut}>sign out there, too</a>.
          </Note>
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
            <TextField name="username" label="User name" value={username} autocomplete="username" />
            <PasswordField name="password" label="Password" autocomplete="current-password" />
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
