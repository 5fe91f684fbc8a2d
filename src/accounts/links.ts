import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import type { Link, LinkKind, RegistryDraft, RegistryReader, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { AccountError } from './names.ts'
import { openBrowserSession, type SignedIn, type SignInContext } from './session-management.ts'
import { deleteExpired, deleteInvitations, hashSecret, isExpired } from './sessions.ts'
import { findFreeName, hashValidPassword, putNewUser, putPassword } from './users.ts'

/** How long a link of each kind is valid, in seconds. */
export const linkSeconds: Readonly<Record<LinkKind, number>> = {
  'first-sign-in': 30 * 60,
  'set-password': 24 * 3600,
  invitation: 7 * 24 * 3600,
}

/** The purpose of a new link. It replaces the previous link of the same kind for the same user, or name. */
type NewLink =
  | { readonly kind: 'first-sign-in' | 'set-password'; readonly userId: string }
  | { readonly kind: 'invitation'; readonly name?: string }

/** A new link. */
export interface CreatedLink {
  /** The secret in its URL. The store keeps only the hash. */
  readonly secret: string
  /** In seconds since 1970. */
  readonly expiresAt: number
}

/** Creates a link that can be used once. */
export const createLink = async (store: Store, link: NewLink, environment: Environment): Promise<CreatedLink> => {
  const secret = environment.newSecret()
  const createdAt = Math.floor(environment.now() / 1000)
  const expiresAt = createdAt + linkSeconds[link.kind]
  await deleteExpired(store, environment)
  await store.registry.change(async (registry) => {
    if (link.kind !== 'invitation') {
      for (const { kind, hash } of await registry.listLinks(link.userId)) {
        if (kind === link.kind) await registry.delete('links', hash)
      }
    } else if (link.name !== undefined) await deleteInvitations(registry, link.name)
    await registry.put('links', { ...link, hash: hashSecret(secret), createdAt, expiresAt })
  })
  return { secret, expiresAt }
}

/**
 * Creates an invitation, for any user name or for the given one.
 * @throws AccountError when the name is not allowed or taken
 */
export const inviteUser = async (
  store: Store,
  { name }: { readonly name?: string },
  environment: Environment,
): Promise<CreatedLink> => {
  if (name === undefined) return createLink(store, { kind: 'invitation' }, environment)
  return createLink(store, { kind: 'invitation', name: await findFreeName(store.registry, name) }, environment)
}

/**
 * Finds a valid link and its user; an invitation has no user. Does not use the link up, because mail and chat programs
 * open links before users do.
 * @throws ApiError `linkInvalid` when the link was used, expired or never existed, or its user is removed or disabled
 */
export const findLink = async (
  registry: RegistryReader,
  secret: string,
  environment: Environment,
): Promise<{ readonly link: Link; readonly user: User | undefined }> => {
  const link = await registry.findLink(hashSecret(secret))
  if (link === undefined || isExpired(link.expiresAt, environment)) throw new ApiError('linkInvalid')
  const user = link.userId === undefined ? undefined : await registry.findUser(link.userId)
  if (link.kind !== 'invitation' && (user === undefined || user.disabledAt !== undefined))
    throw new ApiError('linkInvalid')
  return { link, user }
}

const useLink = async (registry: RegistryDraft, secret: string, kind: LinkKind, environment: Environment) => {
  const { link, user } = await findLink(registry, secret, environment)
  if (link.kind !== kind) throw new ApiError('linkInvalid')
  await registry.delete('links', link.hash)
  return { link, user: user as User }
}

/**
 * Uses a link up and signs its user in for the first time. With a password, it gives the user this password and ends all
 * other sessions of the user.
 * @throws ApiError `linkInvalid`; AccountError when the password is too short, and then the link stays valid
 */
export const signInByLink = async (
  store: Store,
  { secret, password, ...context }: SignInContext & { readonly secret: string; readonly password?: string | undefined },
  environment: Environment,
): Promise<SignedIn> => {
  await findLink(store.registry, secret, environment)
  const passwordHash = password === undefined ? undefined : await hashValidPassword(password)
  await deleteExpired(store, environment)
  return store.registry.change(async (registry) => {
    const { user } = await useLink(registry, secret, 'first-sign-in', environment)
    if (passwordHash !== undefined) await putPassword(registry, user, passwordHash)
    return { user, cookie: await openBrowserSession(registry, user.id, context, environment) }
  })
}

/**
 * Uses a link up, gives its user a new password, ends all sessions of the user and signs the user in.
 * @throws ApiError `linkInvalid`; AccountError when the password is too short, and then the link stays valid
 */
export const setPasswordByLink = async (
  store: Store,
  { secret, password, ...context }: SignInContext & { readonly secret: string; readonly password: string },
  environment: Environment,
): Promise<SignedIn> => {
  await findLink(store.registry, secret, environment)
  const passwordHash = await hashValidPassword(password)
  await deleteExpired(store, environment)
  return store.registry.change(async (registry) => {
    const { user } = await useLink(registry, secret, 'set-password', environment)
    await putPassword(registry, user, passwordHash)
    return { user, cookie: await openBrowserSession(registry, user.id, context, environment) }
  })
}

/**
 * Uses an invitation up, creates its account and signs the new user in. The name in the invitation, if any, overrides
 * the given name.
 * @throws ApiError `linkInvalid`; AccountError when name or password is not allowed, and then the link stays valid
 */
export const acceptInvitation = async (
  store: Store,
  {
    secret,
    password,
    ...form
  }: SignInContext & { readonly secret: string; readonly name: string; readonly password: string },
  environment: Environment,
): Promise<SignedIn> => {
  await findLink(store.registry, secret, environment)
  const passwordHash = await hashValidPassword(password)
  await deleteExpired(store, environment)
  return store.registry.change(async (registry) => {
    const { link } = await useLink(registry, secret, 'invitation', environment)
    const user = await putNewUser(registry, { name: link.name ?? form.name, passwordHash }, environment)
    return { user, cookie: await openBrowserSession(registry, user.id, form, environment) }
  })
}

/** Lists the valid invitations; the one that expires first comes first. The hash of each is its id. */
export const listInvitations = async (store: Store, environment: Environment): Promise<readonly Link[]> =>
  [...(await store.registry.listInvitations())]
    .filter(({ expiresAt }) => !isExpired(expiresAt, environment))
    .sort((a, b) => a.expiresAt - b.expiresAt)

/** Withdraws an open invitation. @throws AccountError when there is no invitation with this id */
export const withdrawInvitation = (store: Store, id: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const link = await registry.findLink(id)
    if (link?.kind !== 'invitation') {
      throw new AccountError(
        `there is no invitation with the ID "${id}"; "user invitations" shows all open invitations`,
      )
    }
    await registry.delete('links', id)
  })
