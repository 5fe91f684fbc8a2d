import { openBrowserSession } from '../../accounts/session-management.ts'
import { describeOrigin } from '../../accounts/sessions.ts'
import { changePassword } from '../../accounts/users.ts'
import { ApiError } from '../../api-error.ts'
import { Notice, PageHeader, PasswordField, PostForm } from '../components.tsx'
import type { PageRoute, ShownPage, SignedInRequest } from '../page.ts'
import { type FieldErrors, tryForm } from '../page-error.tsx'
import { forSignedIn } from '../signed-in.ts'

const path = '/account/password'

const show = (request: SignedInRequest, wrongs: FieldErrors = {}): ShownPage => ({
  title: 'Password',
  script: '/show-password.js',
  ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
  content: (
    <>
      <PageHeader title="Password">
        A new password signs out every app and other browser, and revokes your tokens.
      </PageHeader>
      {request.query.get('done') === 'changed' && (
        <Notice kind="good">Your password is changed. Everything else is signed out.</Notice>
      )}
      <section class="sheet" aria-label="Change password">
        <PostForm request={request}>
          <input type="text" name="username" value={request.signedIn.userName} autocomplete="username" hidden />
          <PasswordField name="old" label="Current password" autocomplete="current-password" error={wrongs.old} />
          <PasswordField
            name="password"
            label="New password"
            autocomplete="new-password"
            hint="At least 8 characters. Several words are better than a few special characters."
            error={wrongs.password}
          />
          <PasswordField name="again" label="New password again" autocomplete="new-password" error={wrongs.again} />
          <div class="buttons">
            <button type="submit" class="main">
              Change password
            </button>
          </div>
        </PostForm>
      </section>
    </>
  ),
})

/** `/account/password`: changes the password of a user who knows the present one. */
export const passwordPage: PageRoute = {
  path,
  get: forSignedIn((request) => show(request)),
  post: forSignedIn(async (request, { store, environment, attempts }) => {
    const { form, signedIn, address, userAgent, requestId } = request
    const { userId, userName: username } = signedIn
    const [oldPassword, newPassword] = [form.get('old') ?? '', form.get('password') ?? '']
    if (newPassword !== form.get('again')) return show(request, { again: 'The passwords do not match.' })
    const signInContext = { origin: describeOrigin(address, userAgent), replaces: request.sessionSecret }
    try {
      const outcome = await tryForm(() =>
        attempts.check({ address, username, requestId }, (checkPassword) =>
          changePassword(store, { userId, oldPassword, newPassword }, checkPassword, (draft) =>
            openBrowserSession(draft, userId, signInContext, environment),
          ),
        ),
      )
      if ('wrongs' in outcome) return show(request, outcome.wrongs)
      return { see: `${path}?done=changed`, session: outcome.done }
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === 'passwordInvalid')) throw error
      return show(request, { old: 'This is not your current password.' })
    }
  }),
}
