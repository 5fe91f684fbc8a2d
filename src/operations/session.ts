import type { SessionInfo } from '../../generated/types.ts'
import { type EndingSession, endSessions, type ListedSession, listSessions } from '../accounts/sessions.ts'
import type { Handlers } from '../api/handlers.ts'
import { Refused } from '../refused.ts'
import type { Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'

/** session/list and session/revoke (contract, what is ours beside the interface). */
export const sessionOperations = (store: Store, world: World): Pick<Handlers, 'listSessions' | 'revokeSession'> => ({
  listSessions: async ({ session }) => {
    const listed = (await listSessions(store, session.userId, world)).filter(isInReachOf(session))
    return { status: 200, body: listed.map((one) => showSession(one, session)) }
  },
  revokeSession: async ({ parameters, session }) => {
    const { id } = parameters
    const isInReach = isInReachOf(session)
    const ended = await endSessions(store, session.userId, (one) => one.id === id && isInReach(one))
    if (ended === 0) throw new Refused('sessionUnknown')
    return { status: 200, body: { revoked_session: id } }
  },
})

/**
 * Which sessions of the user a token may see and end: an app's those of its app, a personal one that may do everything all,
 * and one that may only read itself.
 */
const isInReachOf =
  ({ id, clientId, personal }: Session) =>
  (other: EndingSession): boolean =>
    personal === undefined ? other.clientId === clientId : !personal.isReadOnly || other.id === id

const showSession = (listed: ListedSession, current: Session): SessionInfo => {
  const { id, kind, createdAt, name, clientId, began, isReadOnly, lastUsedAt, expiresAt, origin } = listed
  return {
    id,
    kind,
    current: id === current.id,
    date: createdAt,
    ...(name !== undefined && { name }),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(began !== undefined && { began }),
    ...(isReadOnly !== undefined && { read_only: isReadOnly }),
    ...(lastUsedAt !== undefined && { last_used: lastUsedAt }),
    ...(expiresAt !== undefined && { expires: expiresAt }),
    ...(origin !== undefined && { address: origin.address }),
    ...(origin?.userAgent !== undefined && { user_agent: origin.userAgent }),
  }
}
