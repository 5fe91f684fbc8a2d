import { AccountRefused } from '../accounts/account-refused.ts'
import { listAdmins } from '../accounts/admins.ts'
import { disableUser, enableUser } from '../accounts/disable-user.ts'
import { listInvitations, withdrawInvitation } from '../accounts/invitations.ts'
import { inviteUser, linkSeconds, makeLink } from '../accounts/links.ts'
import { demoteUser, promoteUser } from '../accounts/promote-user.ts'
import { addUser, findNamedUser, listUsers, removeUser, resetPassword } from '../accounts/users.ts'
import { showLinkAddress } from '../pages/link-address.ts'
import type { AccountRow, CommandPlace } from './account-commands.ts'

/** A command about users, as JSON. */
export type UserCommand =
  | { readonly name: 'user add' | 'user reset-password'; readonly user: string; readonly password: string }
  | { readonly name: 'user remove' | 'user disable' | 'user enable' | 'user link'; readonly user: string }
  | { readonly name: 'user promote' | 'user demote'; readonly user: string }
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
    case 'user link': {
      const { id, name, disabledAt } = await findNamedUser(store.directory, command.user)
      if (disabledAt !== undefined) throw new AccountRefused(`user "${name}" is disabled; enable the user first`)
      return [
        {
          name,
          ...showLink(place, 'set-password', await makeLink(store, { kind: 'set-password', userId: id }, world)),
        },
      ]
    }
    case 'user invite': {
      const named = command.user === undefined ? {} : { name: command.user }
      return [{ ...named, ...showLink(place, 'invitation', await inviteUser(store, named, world)) }]
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

const showLink = ({ baseUrl, world }: CommandPlace, kind: 'set-password' | 'invitation', secret: string) => ({
  link: showLinkAddress(baseUrl, secret),
  expires: Math.floor(world.now() / 1000) + linkSeconds[kind],
})

const listAll = async ({ store }: CommandPlace): Promise<readonly AccountRow[]> => {
  const admins = new Set((await listAdmins(store.directory)).map(({ id }) => id))
  return (await listUsers(store)).map(({ id, name, createdAt, disabledAt = null }) => ({
    name,
    date: createdAt,
    admin: admins.has(id),
    disabled: disabledAt,
  }))
}
