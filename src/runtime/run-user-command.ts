import { AccountRefused } from '../accounts/account-refused.ts'
import { listAdmins } from '../accounts/admins.ts'
import { disableUser, enableUser } from '../accounts/disable-user.ts'
import { listInvitations, withdrawInvitation } from '../accounts/invitations.ts'
import { inviteUser, type MadeLink, makeLink } from '../accounts/links.ts'
import { demoteUser, promoteUser } from '../accounts/promote-user.ts'
import type { QuotaChange } from '../accounts/quota-wish.ts'
import { changeQuota, findQuota } from '../accounts/quotas.ts'
import { renameUser } from '../accounts/rename-user.ts'
import { unbindUser } from '../accounts/sign-in-elsewhere.ts'
import { addUser, findNamedUser, listUsers, removeUser, resetPassword } from '../accounts/users.ts'
import { limitWebhooks, listWebhooks } from '../delivery/webhooks.ts'
import { showLinkAddress } from '../pages/link-address.ts'
import type { User } from '../store/registry/registry.ts'
import { type Store, StoreFailed } from '../store/store.ts'
import type { AccountRow, CommandPlace } from './command-place.ts'

/** A command about users, as JSON. */
export type UserCommand =
  | { readonly name: 'user add' | 'user reset-password'; readonly user: string; readonly password: string }
  | { readonly name: 'user remove' | 'user disable' | 'user enable' | 'user link'; readonly user: string }
  | { readonly name: 'user promote' | 'user demote' | 'user unbind'; readonly user: string }
  | { readonly name: 'user rename'; readonly user: string; readonly to: string }
  | { readonly name: 'user quota'; readonly user: string; readonly change: QuotaChange }
  | { readonly name: 'user invite'; readonly user?: string }
  | { readonly name: 'user list' | 'user invitations' }
  | { readonly name: 'user withdraw'; readonly id: string }

/** Runs a command about users. @throws AccountRefused; faults */
export async function runUserCommand(place: CommandPlace, command: UserCommand): Promise<readonly AccountRow[]> {
  const { store, world } = place
  switch (command.name) {
    case 'user add':
      await addUser(store, { name: command.user, password: command.password }, world)
      return [{ name: command.user }]
    case 'user reset-password':
      await resetPassword(store, { name: command.user, password: command.password })
      return [{ name: command.user }]
    case 'user remove':
      await removeUser(store, command.user)
      await forgetJournal(store)
      return [{ name: command.user }]
    case 'user disable':
      await disableUser(store, command.user, world)
      return [{ name: command.user }]
    case 'user enable':
      await enableUser(store, command.user)
      return [{ name: command.user }]
    case 'user promote':
      await promoteUser(store, command.user)
      return [{ name: command.user }]
    case 'user demote':
      await demoteUser(store, command.user)
      return [{ name: command.user }]
    case 'user unbind':
      await unbindUser(store, command.user)
      return [{ name: command.user }]
    case 'user rename':
      return [{ name: await renameUser(store, command.user, command.to) }]
    case 'user quota':
      return [await showQuota(place, await changeQuota(store, command.user, command.change))]
    case 'user link': {
      const { id, name, disabledAt } = await findNamedUser(store.registry, command.user)
      if (disabledAt !== undefined) throw new AccountRefused(`user "${name}" is disabled; enable the user first`)
      return [
        {
          name,
          ...showLink(place, await makeLink(store, { kind: 'set-password', userId: id }, world)),
        },
      ]
    }
    case 'user invite': {
      const named = command.user === undefined ? {} : { name: command.user }
      return [{ ...named, ...showLink(place, await inviteUser(store, named, world)) }]
    }
    case 'user invitations':
      return (await listInvitations(store, world)).map(({ hash, name = null, createdAt, expiresAt }) => ({
        id: hash,
        name,
        date: createdAt,
        expires: expiresAt,
      }))
    case 'user withdraw':
      await withdrawInvitation(store, command.id)
      return [{ id: command.id }]
    case 'user list':
      return listAll(place)
  }
}

const showLink = ({ baseUrl }: CommandPlace, { secret, expiresAt }: MadeLink) => ({
  link: showLinkAddress(baseUrl, secret),
  expires: expiresAt,
})

const showQuota = async ({ store, quotas }: CommandPlace, user: User): Promise<AccountRow> => {
  const { id, name, quota = {} } = user
  const view = await store.read(id)
  const { things = 'default', bytes = 'default', tags = 'default', hooks = 'default' } = quota
  const { clearedTags, ...usage } = await view.countUsage()
  const most = findQuota(user, quotas)
  return {
    name,
    ...usage,
    cleared_tags: clearedTags,
    hooks: (await listWebhooks(view)).length,
    quota_things: things,
    quota_bytes: bytes,
    quota_tags: tags,
    quota_hooks: hooks,
    most_things: most.things,
    most_bytes: most.bytes,
    most_tags: most.tags,
    most_hooks: limitWebhooks(most.hooks),
  }
}

const listAll = async ({ store }: CommandPlace): Promise<readonly AccountRow[]> => {
  const admins = new Set((await listAdmins(store.registry)).map(({ id }) => id))
  return (await listUsers(store)).map(({ id, name, createdAt, disabledAt = null }) => ({
    name,
    date: createdAt,
    admin: admins.has(id),
    disabled: disabledAt,
  }))
}

/** What a removed user had leaves the journal; where the disk refuses that now, it is done with the next checkpoint. */
async function forgetJournal(store: Store): Promise<void> {
  try {
    await store.checkpoint()
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
  }
}
