import type { RegistryDraft, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { AccountRefused } from './account-refused.ts'
import { openBrowserSession, type SignedIn, type SignInPlace } from './browser-sessions.ts'
import { findUserByTypedName, isNameTooLong } from './find-user.ts'
import { forgetEnded } from './forget-ended.ts'
import { nobodysPasswordHash } from './passwords.ts'
import { findNamedUser, putNewUser } from './users.ts'

/** Who somebody is, as a proxy or an OpenID provider says, which has checked it. */
export interface KnownElsewhere {
  readonly name: string
  /** Issuer and subject of a provider: the same person for ever, whatever the name. */
  readonly subject?: string | undefined
}

/** Why somebody who is known elsewhere does not get in. */
export type RefusedElsewhere = 'nameTooLong' | 'unknown' | 'disabled' | 'otherSubject'

// Elsewhere “anna” in fullwidth letters, or with a joiner in it, may be somebody else, who must not get in as anna.
const isTheName = (given: string, { name }: User): boolean =>
  given === name || (given === given.normalize('NFKC') && given.toLowerCase() === name.toLowerCase())

const findKnown = async (
  registry: RegistryDraft,
  { name, subject }: KnownElsewhere,
): Promise<User | RefusedElsewhere> => {
  const bound = subject === undefined ? undefined : await registry.findUserBySubject(subject)
  if (bound !== undefined) return bound
  const user = await findUserByTypedName(registry, name)
  if (user === undefined || !isTheName(name, user)) return 'unknown'
  // A name that is given to somebody else there must not be the way into the account of whoever had it before.
  if (subject !== undefined && user.subject !== undefined) return 'otherSubject'
  return user
}

const makeUser = async (registry: RegistryDraft, name: string, world: World): Promise<User | 'unknown'> => {
  try {
    return await putNewUser(registry, { name, passwordHash: nobodysPasswordHash }, world)
  } catch (error) {
    if (error instanceof AccountRefused) return 'unknown'
    throw error
  }
}

/**
 * Signs a person in who was signed in elsewhere. The first sign-in by a provider binds the account to its subject, so that
 * later ones find it whatever the name is by then. An account is made only where `mayCreate` says so; it has no password.
 */
export const signInElsewhere = async (
  store: Store,
  known: KnownElsewhere,
  place: SignInPlace,
  world: World,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<SignedIn | { readonly refused: RefusedElsewhere }> => {
  if (isNameTooLong(known.name)) return { refused: 'nameTooLong' }
  await forgetEnded(store, world)
  return store.registry.change(async (registry) => {
    const found = await findKnown(registry, known)
    const user = found === 'unknown' && mayCreate ? await makeUser(registry, known.name, world) : found
    if (typeof user === 'string') return { refused: user }
    if (user.disabledAt !== undefined) return { refused: 'disabled' }
    if (known.subject !== undefined && user.subject === undefined) {
      await registry.put('users', { ...user, subject: known.subject })
    }
    return { user, cookie: await openBrowserSession(registry, user.id, place, world) }
  })
}

/**
 * Forgets who a user is for the provider: the next sign-in there by that name binds the account anew.
 * @throws AccountRefused when there is no such user
 */
export const unbindUser = (store: Pick<Store, 'registry'>, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const { subject: _, ...user } = await findNamedUser(registry, name)
    await registry.put('users', user)
  })
