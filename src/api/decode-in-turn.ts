import type { Session } from '../store/registry/registry.ts'
import type { Limits } from './limits.ts'
import { decodeBody, type Fields } from './read-request.ts'
import type { Rooms } from './rooms.ts'

/** A body, decoded, and whose it is. */
export interface ReceivedBody {
  readonly fields: Fields
  /** Undefined for an operation without a token. */
  readonly session: Session | undefined
  /** To be called when its request is answered, as often as one likes. */
  readonly release: () => void
}

/** A long body that has arrived. */
interface LongBody {
  readonly bytes: Buffer
  readonly type: string
  readonly session: Session
  readonly release: () => void
}

/** Decodes a long body when it has its turn, which it keeps until it is released. */
export const decodeInTurn = async (
  { limits, rooms }: { readonly limits: Limits; readonly rooms: Rooms },
  { bytes, type, session, release }: LongBody,
): Promise<ReceivedBody> => {
  const size = bytes.length
  await rooms.gate.enter(session.userId, size)
  let isInside = true
  const leave = (): void => {
    release()
    if (isInside) rooms.gate.leave(size)
    isInside = false
  }
  try {
    return { fields: await decodeBody(bytes, type, limits.formFields, limits), session, release: leave }
  } catch (error) {
    leave()
    throw error
  }
}
