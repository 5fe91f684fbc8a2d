import type { Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { isContinuable } from './spare-sessions.ts'
import { isOver } from './token-pairs.ts'

/**
 * What an app may do for a user: act for the user, nothing until the user signs in with it again, nothing until the
 * account is enabled, or nothing ever again, because the app was removed or the personal token has ended.
 */
export type AppAccess = 'living' | 'signedOut' | 'disabled' | 'gone'

const isLiving = (session: Session, world: World): boolean => {
  const { personal } = session
  if (personal === undefined) return isContinuable(session, world)
  return personal.expiresAt === undefined || !isOver(personal.expiresAt, world)
}

/**
 * Judges what an app may do for a user now. A personal token is its own app, by the id of its session.
 */
export const findAppAccess = async (
  { registry }: Pick<Store, 'registry'>,
  userId: string,
  clientId: string,
  world: World,
): Promise<AppAccess> => {
  if (await isDisabled({ registry }, userId)) return 'disabled'
  const isOfApp = (session: Session) => session.clientId === clientId
  const sessions = await registry.listSessions(userId)
  if (sessions.some((session) => isOfApp(session) && isLiving(session, world))) return 'living'
  if ((await registry.findApp(clientId)) !== undefined) return 'signedOut'
  return 'gone'
}

/** True while the account of the user is disabled. */
export const isDisabled = async ({ registry }: Pick<Store, 'registry'>, userId: string): Promise<boolean> =>
  (await registry.findUser(userId))?.disabledAt !== undefined
