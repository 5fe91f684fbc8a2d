import { withdrawInvitation } from '../../accounts/invitations.ts'
import { inviteUser } from '../../accounts/links.ts'
import { addUser } from '../../accounts/users.ts'
import { forAdmin } from '../guards.ts'
import type { PageRoute } from '../page.ts'
import { tryForm } from '../say-refused.ts'
import { showPeople } from './show-people.tsx'

const path = '/admin/people'

/** `/admin/people`: everybody, and a form for one more. */
export const peoplePage: PageRoute = {
  path,
  isSentOnce: true,
  get: forAdmin((request, tools) => showPeople(request, tools)),
  post: forAdmin(async (request, tools) => {
    const name = request.form.get('name') ?? ''
    // Nobody knows this password: the link sets one.
    const added = await tryForm(() => addUser(tools.store, { name, password: tools.world.newSecret() }, tools.world))
    if ('wrongs' in added) return showPeople(request, tools, added.wrongs)
    return { see: `${path}/${added.done.id}?done=added` }
  }),
}

/** Makes an invitation. */
export const invitePage: PageRoute = {
  path: `${path}/invite`,
  isSentOnce: true,
  post: forAdmin(async (request, tools) => {
    const name = (request.form.get('invited') ?? '').trim()
    const made = await tryForm(() => inviteUser(tools.store, name === '' ? {} : { name }, tools.world))
    if ('wrongs' in made) return showPeople(request, tools, { invited: Object.values(made.wrongs).join(' ') })
    return { see: `${path}?link=${tools.shownOnce.keep(request, made.done.secret)}` }
  }),
}

/** Withdraws an invitation; one that is gone already is gone as it was to be. */
export const withdrawPage: PageRoute = {
  path: `${path}/withdraw`,
  post: forAdmin(async (request, tools) => {
    await tryForm(() => withdrawInvitation(tools.store, request.form.get('invitation') ?? ''))
    return { see: `${path}?done=withdrawn` }
  }),
}
