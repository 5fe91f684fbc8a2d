import { isAdmin } from '../accounts/admins.ts'
import { findBrowserSession } from '../accounts/browser-sessions.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import type { SignedIn } from './page.ts'

/** Who is signed in with the secret of a cookie; undefined when nobody is, or not any more. */
export const findSignedIn = async (store: Store, secret: string, world: World): Promise<SignedIn | undefined> => {
  const found = await findBrowserSession(store, secret, world)
  if (found === undefined) return undefined
  const { user, session } = found
  return {
    userId: user.id,
    userName: user.name,
    isAdmin: await isAdmin(store.registry, user),
    sessionId: session.hash,
  }
}
