import { disableUser, enableUser } from '../../accounts/disable-user.ts'
import { makeLink } from '../../accounts/links.ts'
import { demoteUser, promoteUser } from '../../accounts/promote-user.ts'
import type { User } from '../../store/registry/registry.ts'
import { forAdmin } from '../guards.ts'
import type { PageRoute, PageTools } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import { tryForm } from '../say-refused.ts'
import { findPerson } from './find-person.ts'
import { showPerson } from './show-person.tsx'

const path = '/admin/people/:id'

/** `/admin/people/ID`: one account, as far as it is an admin's business; no thing of it is shown. */
export const personPage: PageRoute = {
  path,
  get: forAdmin(async (request, tools) => showPerson(request, tools, await findPerson(request, tools))),
}

/** Makes a link with which the person sets a password. */
export const passwordLinkPage: PageRoute = {
  path: `${path}/link`,
  isSentOnce: true,
  post: forAdmin(async (request, tools) => {
    const { id: userId, disabledAt } = await findPerson(request, tools)
    if (disabledAt !== undefined) throw new PageRefused('unknown')
    const { secret } = await makeLink(tools.store, { kind: 'set-password', userId }, tools.world)
    return { see: `/admin/people/${userId}?link=${tools.shownOnce.keep(request, secret)}` }
  }),
}

/** A button that changes what a person may do, and leads back to the page of the person, which says that it is done. */
const createSwitch = (
  name: string,
  done: string,
  change: (tools: PageTools, user: User) => Promise<unknown>,
): PageRoute => ({
  path: `${path}/${name}`,
  post: forAdmin(async (request, tools) => {
    const user = await findPerson(request, tools)
    const outcome = await tryForm(() => change(tools, user))
    if ('wrongs' in outcome) return showPerson(request, tools, user, Object.values(outcome.wrongs).join(' '))
    // Who is no admin any more has no page of the person to come back to.
    const isLeft = name === 'demote' && user.id === request.signedIn.userId
    return { see: isLeft ? '/account' : `/admin/people/${user.id}?done=${done}` }
  }),
})

/** The buttons that keep a person out, let in again, make admin, and take the admin pages away. */
export const personSwitches: readonly PageRoute[] = [
  createSwitch('disable', 'disabled', ({ store, world }, { name }) => disableUser(store, name, world)),
  createSwitch('enable', 'enabled', ({ store }, { name }) => enableUser(store, name)),
  createSwitch('promote', 'promoted', ({ store }, { name }) => promoteUser(store, name)),
  createSwitch('demote', 'demoted', ({ store }, { name }) => demoteUser(store, name)),
]
