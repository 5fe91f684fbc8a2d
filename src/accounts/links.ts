import { Refused } from '../refused.ts'
import type { Link, LinkKind, RegistryDraft, RegistryReader, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { openBrowserSession, type SignedIn, type SignInPlace } from './browser-sessions.ts'
import { dropInvitations } from './end-sessions.ts'
import { forgetEnded } from './forget-ended.ts'
import { hashSecret } from './hash.ts'
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

/** A link that was just made. */
export interface MadeLink {
  /** What stands in it, told this once. */
  readonly secret: string
  /** In seconds since 1970. */
  readonly expiresAt: number
}

/** Makes a link that can be used once. */
export const makeLink = async (store: Store, link: NewLink, world: World): Promise<MadeLink> => {
  const secret = world.newSecret()
  const createdAt = Math.floor(world.now() / 1000)
  const expiresAt = createdAt + linkSeconds[link.kind]
  await forgetEnded(store, world)
  await store.registry.change(async (registry) => {
    if (link.kind !== 'invitation') {
      for (const { kind, hash } of await registry.listLinks(link.userId)) {
        if (kind === link.kind) await registry.delete('links', hash)
      }
    } else if (link.name !== undefined) await dropInvitations(registry, link.name)
    await registry.put('links', { ...link, hash: hashSecret(secret), createdAt, expiresAt })
  })
  return { secret, expiresAt }
}

/**
 * Makes an invitation, for anybody or for somebody with this name.
 * @throws AccountRefused when the name is not allowed or taken
 */
export const inviteUser = async (
  store: Store,
  { name }: { readonly name?: string },
  world: World,
): Promise<MadeLink> => {
  if (name === undefined) return makeLink(store, { kind: 'invitation' }, world)
  return makeLink(store, { kind: 'invitation', name: await findFreeName(store.registry, name) }, world)
}

/**
 * What a link is good for, and whose it is. It stays good: programs that look at links before people do must not use
 * them up.
 * @throws Refused `linkInvalid` when it was used, has expired, or never was one
 */
export const findLink = async (
  registry: RegistryReader,
  secret: string,
  world: World,
): Promise<{ readonly link: Link; readonly user: User | undefined }> => {
  const link = await registry.findLink(hashSecret(secret))
  if (link === undefined || isOver(link.expiresAt, world)) throw new Refused('linkInvalid')
  const user = link.userId === undefined ? undefined : await registry.findUser(link.userId)
  if (link.kind !== 'invitation' && (user === undefined || user.disabledAt !== undefined))
    throw new Refused('linkInvalid')
  return { link, user }
}

const useLink = async (registry: RegistryDraft, secret: string, kind: LinkKind, world: World) => {
  const { link, user } = await findLink(registry, secret, world)
  if (link.kind !== kind) throw new Refused('linkInvalid')
  await registry.delete('links', link.hash)
  return { link, user: user as User }
}

/** Signs the owner in for the first time. @throws Refused `linkInvalid` */
export const signInByLink = async (
  store: Store,
  secret: string,
  place: SignInPlace,
  world: World,
): Promise<SignedIn> => {
  await forgetEnded(store, world)
  return store.registry.change(async (registry) => {
    const { user } = await useLink(registry, secret, 'first-sign-in', world)
    return { user, cookie: await openBrowserSession(registry, user.id, place, world) }
  })
}

/**
 * Gives the user of a link a new password, ends all sessions and signs in.
 * @throws Refused `linkInvalid`; AccountRefused when the password is too short, and then the link stays good
 */
export const setPasswordByLink = async (
  store: Store,
  { secret, password, ...place }: SignInPlace & { readonly secret: string; readonly password: string },
  world: World,
): Promise<SignedIn> => {
  await findLink(store.registry, secret, world)
  const passwordHash = await hashGoodPassword(password)
  await forgetEnded(store, world)
  return store.registry.change(async (registry) => {
    const { user } = await useLink(registry, secret, 'set-password', world)
    await putPassword(registry, user, passwordHash)
    return { user, cookie: await openBrowserSession(registry, user.id, place, world) }
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
  await findLink(store.registry, secret, world)
  const passwordHash = await hashGoodPassword(password)
  await forgetEnded(store, world)
  return store.registry.change(async (registry) => {
    const { link } = await useLink(registry, secret, 'invitation', world)
    const user = await putNewUser(registry, { name: link.name ?? form.name, passwordHash }, world)
    return { user, cookie: await openBrowserSession(registry, user.id, form, world) }
  })
}
