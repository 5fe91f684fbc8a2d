import { AccountRefused } from '../accounts/account-refused.ts'
import { addPersonalToken } from '../accounts/personal-tokens.ts'
import { endSession, type ListedSession, listSessions } from '../accounts/sessions.ts'
import { findNamedUser } from '../accounts/users.ts'
import type { User } from '../store/registry/registry.ts'
import type { AccountRow, CommandPlace } from './command-place.ts'

/** A command about sessions and personal access tokens, as JSON; without a user it is about those of all users. */
export type SessionCommand =
  | {
      readonly name: 'token add'
      readonly token: string
      readonly user: string
      readonly isReadOnly: boolean
      readonly expiresInSeconds?: number
    }
  | { readonly name: 'session list'; readonly only?: 'token'; readonly user?: string }
  | { readonly name: 'session revoke'; readonly only?: 'token'; readonly id: string }

/** Runs a command about sessions. @throws AccountRefused; faults */
export async function runSessionCommand(place: CommandPlace, command: SessionCommand): Promise<readonly AccountRow[]> {
  const { store, world } = place
  switch (command.name) {
    case 'token add': {
      const { token: name, isReadOnly, expiresInSeconds } = command
      const { id: userId, name: user } = await findNamedUser(store.registry, command.user)
      const wanted = { userId, name, isReadOnly, expiresInSeconds }
      const { id, token, expiresAt = null } = await addPersonalToken(store, wanted, world)
      return [{ id, token, name, user, read_only: isReadOnly, expires: expiresAt }]
    }
    case 'session list': {
      const { user, only } = command
      const users = user === undefined ? undefined : [await findNamedUser(store.registry, user)]
      const found = await listOf(place, users ?? (await store.registry.listUsers()), only)
      return found.map(only === 'token' ? showToken : showSession)
    }
    case 'session revoke': {
      const { id, only } = command
      const found = await listOf(place, await store.registry.listUsers(), only)
      const owner = found.find(({ session }) => session.id === id)?.user
      if (owner === undefined || !(await endSession(store, owner.id, id))) {
        const what = only ?? 'session'
        throw new AccountRefused(`there is no ${what} with the id "${id}"; "${what} list" shows all ${what}s`)
      }
      return [{ id, user: owner.name }]
    }
  }
}

interface Owned {
  readonly user: User
  readonly session: ListedSession
}

const listOf = async ({ store, world }: CommandPlace, users: readonly User[], only: 'token' | undefined) => {
  const found: Owned[] = []
  for (const user of users) {
    for (const session of await listSessions(store, user.id, world)) {
      if (only === undefined || session.kind === only) found.push({ user, session })
    }
  }
  return found
}

const showToken = ({ user, session }: Owned): AccountRow => ({
  id: session.id,
  user: user.name,
  name: session.name ?? null,
  date: session.createdAt,
  read_only: session.isReadOnly === true,
  last_used: session.lastUsedAt ?? null,
  expires: session.expiresAt ?? null,
})

const showSession = ({ user, session }: Owned): AccountRow => ({
  id: session.id,
  user: user.name,
  kind: session.kind,
  name: session.name ?? null,
  date: session.createdAt,
  last_used: session.lastUsedAt ?? null,
  expires: session.expiresAt ?? null,
  address: session.origin?.address ?? null,
  user_agent: session.origin?.userAgent ?? null,
})
