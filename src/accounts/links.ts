import { Refused } from '../refused.ts'
import type { DirectoryDraft, DirectoryReader, Link, LinkKind, User } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { openBrowserSession, type SignedIn, type SignInPlace } from './browser-sessions.ts'
import { dropInvitations } from './end-sessions.ts'
import { hashSecret } from './hash.ts'
import { sweepExpired } from './sweep-expired.ts'
import { isOver } from './token-pairs.ts'
import { findFreeName, hashGoodPassword, putNewUser, putPassword } from './users.ts'

/** How long a link of each kind is good, in seconds. */
export const linkSeconds: Readonly<Record<LinkKind, number>> = {
  'first-sign-in': 30 * 60,
  'set-password': 24 * 3600,
  invitation: 7 * 24 * 3600,
}

/** What a link is to be good for. A newer one of the same kind for the same user, or name, replaces the older. */
export type NewLink =
  | { readonly kind: 'first-sign-in' | 'set-password'; readonly userId: string }
  | { readonly kind: 'invitation'; readonly name?: string }

/** Makes a link that can be used once; gives the secret that stands in it, this once. */
export const makeLink = async (store: Store, link: NewLink, world: World): Promise<string> => {
  const secret = world.newSecret()
  const createdAt = Math.floor(world.now() / 1000)
  await store.directory.change(async (directory) => {
    await sweepExpired(directory, world)
    for (const older of await directory.listLinks()) {
      const isReplaced = link.kind !== 'invitation' && older.kind === link.kind && older.userId === link.userId
      if (isReplaced) await directory.deleteLink(older.hash)
    }
    if (link.kind === 'invitation' && link.name !== undefined) await dropInvitations(directory, link.name)
    await directory.putLink({
      ...link,
      hash: hashSecret(secret),
      createdAt,
      expiresAt: createdAt + linkSeconds[link.kind],
    })
  })
  return secret
}

/**
 * Makes an invitation, for anybody or for somebody with this name.
 * @throws AccountRefused when the name is not allowed or taken
 */
export const inviteUser = async (store: Store, { name }: { readonly name?: string }, world: World): Promise<string> => {
  if (name === undefined) return makeLink(store, { kind: 'invitation' }, world)
  return makeLink(store, { kind: 'invitation', name: await findFreeName(store.directory, name) }, world)
}

/**
 * What a link is good for, and whose it is. It stays good: programs that look at links before people do must not use
 * them up.
 * @throws Refused `linkInvalid` when it was used, has expired, or never was one
 */
export const findLink = async (
  directory: DirectoryReader,
  secret: string,
  world: World,
): Promise<{ readonly link: Link; readonly user: User | undefined }> => {
  const link = await directory.findLink(hashSecret(secret))
  if (link === undefined || isOver(link.expiresAt, world)) throw new Refused('linkInvalid')
  const user = link.userId === undefined ? undefined : await directory.findUser(link.userId)
  if (link.kind !== 'invitation' && (user === undefined || user.disabledAt !== undefined))
    throw new Refused('linkInvalid')
  return { link, user }
}

const useLink = async (directory: DirectoryDraft, secret: string, kind: LinkKind, world: World) => {
  const { link, user } = await findLink(directory, secret, world)
  if (link.kind !== kind) throw new Refused('linkInvalid')
  await directory.deleteLink(link.hash)
  return { link, user: user as User }
}

/** Signs the owner in for the first time. @throws Refused `linkInvalid` */
export const signInByLink = (store: Store, secret: string, place: SignInPlace, world: World): Promise<SignedIn> =>
  store.directory.change(async (directory) => {
    const { user } = await useLink(directory, secret, 'first-sign-in', world)
    return { user, cookie: await openBrowserSession(directory, user.id, place, world) }
  })

/**
 * Gives the user of a link a new password, ends all sessions and signs in.
 * @throws Refused `linkInvalid`; AccountRefused when the password is too short, and then the link stays good
 */
export const setPasswordByLink = async (
  store: Store,
  { secret, password, ...place }: SignInPlace & { readonly secret: string; readonly password: string },
  world: World,
): Promise<SignedIn> => {
  await findLink(store.directory, secret, world)
  const passwordHash = await hashGoodPassword(password)
  return store.directory.change(async (directory) => {
    const { user } = await useLink(directory, secret, 'set-password', world)
    await putPassword(directory, user, passwordHash)
    return { user, cookie: await openBrowserSession(directory, user.id, place, world) }
  })
}

/**
 * Makes the account that an invitation is for, and signs in. The name is the invitation's, when it has one.
 * @throws Refused `linkInvalid`; AccountRefused when name or password is not allowed, and then the link stays good
 */
export const acceptInvitation = async (
  store: Store,
  {
    secret,
    password,
    ...form
  }: SignInPlace & { readonly secret: string; readonly name: string; readonly password: string },
  world: World,
): Promise<SignedIn> => {
  await findLink(store.directory, secret, world)
  const passwordHash = await hashGoodPassword(password)
  return store.directory.change(async (directory) => {
    const { link } = await useLink(directory, secret, 'invitation', world)
    const user = await putNewUser(directory, { name: link.name ?? form.name, passwordHash }, world)
    return { user, cookie: await openBrowserSession(directory, user.id, form, world) }
  })
}
