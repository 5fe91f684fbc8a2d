import { removeUser } from '../../accounts/users.ts'
import type { User } from '../../store/registry/registry.ts'
import { exportAccount } from '../export-account.ts'
import { Head, PostForm, TextField } from '../form-parts.tsx'
import { forAdmin } from '../guards.ts'
import type { PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import { tryForm } from '../say-refused.ts'
import { findPerson } from './find-person.ts'

/** Somebody else: who removes the own account could not see what became of it. */
const findOther = async (request: SignedInRequest, tools: PageTools): Promise<User> => {
  const user = await findPerson(request, tools)
  if (user.id === request.signedIn.userId) throw new PageRefused('unknown')
  return user
}

const show = ({ form, ...request }: SignedInRequest, user: User, wrong?: string): ShownPage => ({
  title: `Remove ${user.name}`,
  isNarrow: true,
  ...(wrong === undefined ? {} : { status: 422 }),
  content: (
    <>
      <Head title={`Remove ${user.name}`}>
        The account and everything in it go for good, and apps that they registered and nobody else uses. No link brings
        them back.
      </Head>
      <section class="sheet" aria-labelledby="first">
        <h2 id="first">First, take a copy</h2>
        <p>All things and tag settings, as JSON. A backup of the whole server holds them too.</p>
        <div class="buttons">
          <a class="button" href={request.site.href(`/admin/people/${user.id}/export`)}>
            Download the export
          </a>
        </div>
      </section>
      <section class="sheet" aria-labelledby="then">
        <h2 id="then">Then remove it</h2>
        <PostForm request={request}>
          <TextField
            name="name"
            label="Type the user name"
            value={form.get('name')}
            hint={`Exactly as it is: ${user.name}`}
            wrong={wrong}
          />
          <div class="buttons">
            <button type="submit" class="grave">
              Remove for good
            </button>
            <a class="button" href={request.site.href(`/admin/people/${user.id}`)}>
              Back
            </a>
          </div>
        </PostForm>
      </section>
    </>
  ),
})

/** `/admin/people/ID/remove`: offers an export, and removes an account whose name was typed. */
export const removePersonPage: PageRoute = {
  path: '/admin/people/:id/remove',
  get: forAdmin(async (request, tools) => show(request, await findOther(request, tools))),
  post: forAdmin(async (request, tools) => {
    const user = await findOther(request, tools)
    if (request.form.get('name')?.trim() !== user.name) return show(request, user, 'This is not the name.')
    const outcome = await tryForm(() => removeUser(tools.store, user.name))
    if ('wrongs' in outcome) return show(request, user, Object.values(outcome.wrongs).join(' '))
    return { see: '/admin/people?done=removed' }
  }),
}

/** What a person keeps here, for the admin who removes the account. */
export const exportPersonPage: PageRoute = {
  path: '/admin/people/:id/export',
  get: forAdmin(async (request, tools) => exportAccount(tools, await findPerson(request, tools))),
}
