import { openBrowserSession } from '../../accounts/browser-sessions.ts'
import { changePassword } from '../../accounts/change-password.ts'
import { describeOrigin } from '../../accounts/origin.ts'
import { Refused } from '../../refused.ts'
import { Head, Note, PasswordField, PostForm } from '../form-parts.tsx'
import { forSignedIn } from '../guards.ts'
import type { PageRoute, ShownPage, SignedInRequest } from '../page.ts'
import { tryForm, type Wrongs } from '../say-refused.ts'

const path = '/account/password'

const show = (request: SignedInRequest, wrongs: Wrongs = {}): ShownPage => ({
  title: 'Password',
  isNarrow: true,
  ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
  content: (
    <>
      <Head title="Password">A new password signs out every app, token and browser but this one.</Head>
      {request.query.get('done') === 'changed' && (
        <Note kind="good">Your password is changed. Everything else was signed out.</Note>
      )}
      <section class="sheet" aria-label="Change the password">
        <PostForm request={request}>
          <input type="text" name="username" value={request.signedIn.userName} autocomplete="username" hidden />
          <PasswordField name="old" label="Password now" autocomplete="current-password" wrong={wrongs.old} />
          <PasswordField
            name="password"
            label="New password"
            autocomplete="new-password"
            hint="At least 8 characters; a few words are better than a few signs."
            wrong={wrongs.password}
          />
          <PasswordField name="again" label="New password again" autocomplete="new-password" wrong={wrongs.again} />
          <div class="buttons">
            <button type="submit" class="main">
              Change the password
            </button>
          </div>
        </PostForm>
      </section>
    </>
  ),
})

/** `/account/password`: for those who know the one that they have. */
export const passwordPage: PageRoute = {
  path,
  get: forSignedIn((request) => show(request)),
  post: forSignedIn(async (request, { store, world, attempts }) => {
    const { form, signedIn, address, userAgent, requestId } = request
    const { userId, userName: username } = signedIn
    const [oldPassword, newPassword] = [form.get('old') ?? '', form.get('password') ?? '']
    if (newPassword !== form.get('again')) return show(request, { again: 'This is not what stands above.' })
    const place = { origin: describeOrigin(address, userAgent), replaces: request.sessionSecret }
    try {
      const outcome = await tryForm(() =>
        attempts.judge({ address, username, requestId }, (checkPassword) =>
          changePassword(store, { userId, oldPassword, newPassword }, checkPassword, (draft) =>
            openBrowserSession(draft, userId, place, world),
          ),
        ),
      )
      if ('wrongs' in outcome) return show(request, outcome.wrongs)
      return { see: `${path}?done=changed`, session: outcome.done }
    } catch (error) {
      if (!(error instanceof Refused && error.kind === 'passwordInvalid')) throw error
      return show(request, { old: 'This is not your password.' })
    }
  }),
}
