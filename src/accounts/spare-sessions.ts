import type { RegistryDraft, Session } from '../store/registry/registry.ts'
import type { World } from '../world.ts'
import { isOver } from './token-pairs.ts'

/** Sessions that a user may have at the same time. */
export const mostSessions = 200

/** When the request tokens of a session are over, in Unix seconds; a personal token has none. */
export const continuableUntil = ({ pairs }: Session): number =>
  Math.max(...pairs.map(({ requestExpiresAt }) => requestExpiresAt))

/** True when a session that a grant began can still be continued. */
export const isContinuable = (session: Session, world: World): boolean => !isOver(continuableUntil(session), world)

/**
 * Ends the sessions of the user that nothing can continue, and as many of the longest unused that one more has a place:
 * those whose request tokens end first, because each refresh gives them 90 days anew. Personal tokens stay.
 */
export const dropSpareSessions = async (registry: RegistryDraft, userId: string, world: World): Promise<void> => {
  const granted = (await registry.listSessions(userId)).filter(({ personal }) => personal === undefined)
  const sessions = granted.sort((a, b) => continuableUntil(a) - continuableUntil(b))
  const spare = sessions.length - (mostSessions - 1)
  for (const [index, session] of sessions.entries()) {
    if (index < spare || !isContinuable(session, world)) await registry.delete('sessions', session.id)
  }
}
