import type { DirectoryDraft, Session } from '../store/directory.ts'
import type { World } from '../world.ts'
import { isOver } from './token-pairs.ts'

/** Sessions that a user may have at the same time. */
export const mostSessions = 200

const continuableUntil = ({ pairs }: Session): number =>
  Math.max(...pairs.map(({ requestExpiresAt }) => requestExpiresAt))

/**
 * Ends the sessions of the user that nothing can continue, and as many of the longest unused that one more has a place:
 * those whose request tokens end first, because each refresh gives them 90 days anew.
 */
export const dropSpareSessions = async (directory: DirectoryDraft, userId: string, world: World): Promise<void> => {
  const sessions = [...(await directory.listSessions(userId))].sort((a, b) => continuableUntil(a) - continuableUntil(b))
  const spare = sessions.length - (mostSessions - 1)
  for (const [index, session] of sessions.entries()) {
    if (index < spare || isOver(continuableUntil(session), world)) await directory.deleteSession(session.id)
  }
}
