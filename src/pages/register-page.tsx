import { openBrowserSession } from '../accounts/session-management.ts'
import { describeOrigin } from '../accounts/sessions.ts'
import { addUser } from '../accounts/users.ts'
import { PageHeader, PasswordField, PostForm, TextField } from './components.tsx'
import type { PageHandler, PageRequest, PageRoute, ShownPage } from './page.ts'
import { type FieldErrors, PageError, tryForm } from './page-error.tsx'
import { findLanding } from './signed-in.ts'

const registrationClosed = {
  status: 404,
  title: 'Registration is closed',
  happened: 'The administrator of this server creates the accounts.',
  advice: 'Ask for an invitation.',
}

const forOpenRegistration =
  (handle: PageHandler): PageHandler =>
  (request, tools) => {
    if (!tools.about.isRegistrationOpen) throw new PageError(registrationClosed)
    return handle(request, tools)
  }

const show = (request: PageRequest, wrongs: FieldErrors = {}): ShownPage => ({
  title: 'Create an account',
  isNarrow: true,
  isAlone: true,
  ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
  content: (
    <>
      <PageHeader title="Create an account">Your notes, bookmarks and to-dos, on all your devices.</PageHeader>
      <section class="sheet" aria-label="The account">
        <PostForm request={request}>
          <TextField
            name="name"
            label="User name"
            autocomplete="username"
            value={request.form.get('name')}
            error={wrongs.name}
          />
          <PasswordField
            name="password"
            label="Password"
            autocomplete="new-password"
            hint="At least 8 characters. Several words are better than a few special characters."
            error={wrongs.password}
          />
          <PasswordField name="again" label="Password again" autocomplete="new-password" error={wrongs.again} />
          <div class="buttons">
            <button type="submit" class="main">
              Create the account
            </button>
          </div>
        </PostForm>
      </section>
    </>
  ),
})

/** `/register`: creates an account without an invitation, when the administrator allows it (`open_registration`). */
export const registerPage: PageRoute = {
  path: '/register',
  isDeduplicated: true,
  get: forOpenRegistration((request) => show(request)),
  post: forOpenRegistration(async (request, tools) => {
    const { store, environment, registrations, attempts } = tools
    const { form, address, userAgent, sessionSecret } = request
    const [name, password] = [form.get('name') ?? '', form.get('password') ?? '']
    if (password !== form.get('again')) return show(request, { again: 'The passwords do not match.' })
    await registrations.count(address)
    const outcome = await tryForm(() => addUser(store, { name, password }, environment))
    if ('wrongs' in outcome) return show(request, outcome.wrongs)
    const { id } = outcome.done
    const signInContext = { origin: describeOrigin(address, userAgent), replaces: sessionSecret }
    const session = await store.registry.change((draft) => openBrowserSession(draft, id, signInContext, environment))
    await attempts.recordSuccess(address, id)
    return { see: findLanding(request, tools), session }
  }),
}
